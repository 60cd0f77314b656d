import { describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { examplePipeline, formatProblems, validatePipeline } from "../src/index.js";
import { exampleText } from "./example-text.js";

// What is just right and just wrong, where mistakes in the rules would go unseen otherwise.

const codes = (text: string) => validatePipeline(text).problems.map(({ code }) => code);
const patched = (patch: unknown) => exampleText("patch", stringify(patch));
const onKubernetes = (executors: unknown) =>
  `${examplePipeline}---\n${stringify({ platforms: { kubernetes: { deploymentSpec: { executors } } } })}`;
const onReport = (config: unknown) => onKubernetes({ "exec-report": config });

const init = (more: object = {}) => ({ name: "fetch", image: "busybox:1.36", ...more });
const requests = (request: string, limit: string) => ({
  initContainers: [init({ resources: { requests: { memory: request }, limits: { memory: limit } } })],
});
const requirement = (operator: string, values: readonly string[]) => ({
  nodeAffinity: [{ matchExpressions: [{ key: "zone", operator, values }] }],
});
const report = (container: unknown) =>
  patched({ deploymentSpec: { executors: { "exec-report": { container } } } });
const delay = (field: string, value: string) =>
  patched({ root: { dag: { tasks: { train: { retryPolicy: { maxRetryCount: 2, [field]: value } } } } } });
const env = (...pairs: readonly (readonly [string, string])[]) =>
  report({ env: pairs.map(([name, value]) => ({ name, value })) });
const mounted = (mountPath: string) => {
  const platform = {
    pipelineConfig: { workspace: { size: "1Gi" } },
    deploymentSpec: { executors: { "exec-report": { pvcMount: [{ mountPath, constant: "data" }] } } },
  };
  return `${examplePipeline}---\n${stringify({ platforms: { kubernetes: platform } })}`;
};

const epochs = (declared: object, constant?: unknown) =>
  patched({
    root: {
      dag: {
        tasks: {
          train: {
            inputs: { parameters: constant === undefined ? {} : { epochs: { runtimeValue: { constant } } } },
          },
        },
      },
    },
    components: { "comp-train": { inputDefinitions: { parameters: { epochs: declared } } } },
  });
const told = (arg: string) =>
  patched({
    components: {
      "comp-train": {
        outputDefinitions: { artifacts: null, parameters: { score: { parameterType: "NUMBER_DOUBLE" } } },
      },
    },
    deploymentSpec: { executors: { "exec-train": { container: { args: [arg] } } } },
  });
const number = { parameterType: "NUMBER_INTEGER" };
const text = { parameterType: "STRING" };
const rootRows = (rowsDeclared: object) =>
  patched({ root: { inputDefinitions: { parameters: { rows: rowsDeclared } } } });
const root = (defaultPipelineRoot: string) => patched({ defaultPipelineRoot });

const rows: readonly [name: string, right: string, wrong: string, code: string][] = [
  [
    "a program that is told of none of its outputs writes none",
    told("--score={{$.outputs.parameters['score'].output_file}}"),
    told("--score=/tmp/score"),
    "output-unwritten",
  ],
  [
    "a program may know where outputs are, or be told all at once",
    told("{{$}}"),
    told("{{$.inputs.parameters['label']}}"),
    "output-unwritten",
  ],
  [
    "a folder of the launcher is a place",
    told("/tmp/kfp/outputs/score"),
    told("/tmp/out/score"),
    "output-unwritten",
  ],
  [
    "null is no number, whatever the default",
    epochs({ ...number, defaultValue: 3 }),
    `${epochs({ ...number, defaultValue: 3, isOptional: true }, 0)}`.replace("constant: 0", "constant: null"),
    "constant-type-mismatch",
  ],
  [
    "null is a text where it may be left out",
    epochs({ ...text, isOptional: true, defaultValue: "a" }, 0).replace("constant: 0", "constant: null"),
    epochs({ ...text, isOptional: null, defaultValue: null }, 0).replace("constant: 0", "constant: null"),
    "constant-type-mismatch",
  ],
  [
    "a number in quotes is a text",
    epochs({ ...number, defaultValue: 5 }),
    epochs({ ...number, defaultValue: " 5 " }),
    "default-number-in-quotes",
  ],
  [
    "an empty text is no number, not even in quotes",
    epochs({ ...number, defaultValue: 0 }),
    epochs({ ...number, defaultValue: "" }),
    "default-type-mismatch",
  ],
  [
    "a text in quotes is one",
    epochs({ ...text, defaultValue: "5" }),
    epochs({ parameterType: "NUMBER_DOUBLE", defaultValue: "1e5" }),
    "default-number-in-quotes",
  ],
  [
    "a default of null gives no value",
    rootRows({ isOptional: true, defaultValue: 0 }),
    `${rootRows({ isOptional: true, defaultValue: "X" })}`.replace("defaultValue: X", "defaultValue: null"),
    "optional-feeds-required",
  ],
  [
    "a default of null is none for what is not optional either",
    rootRows({}),
    rootRows({ defaultValue: "X" }).replace("defaultValue: X", "defaultValue: null"),
    "optional-feeds-required",
  ],
  ["gs", root("gs://b"), root("gs://"), "pipeline-root-invalid"],
  ["s3, with a query", root("s3://b/p?region=x y"), root("s3:/b"), "pipeline-root-invalid"],
  ["a query behind the bucket", root("s3://b?region=x y"), root("s3://?region=x"), "pipeline-root-invalid"],
  ["minio", root("minio://b/a b"), root("minio://b b/a"), "pipeline-root-invalid"],
  ["no root, and none known before the run", root(""), root("bucket/runs"), "pipeline-root-invalid"],
  ["a root that the run fills in", root("{{$.inputs}}"), root("https://b/a"), "pipeline-root-invalid"],
  [
    "1024Ki is 1Mi",
    onReport(requests("1024Ki", "1Mi")),
    onReport(requests("1025Ki", "1Mi")),
    "platform-value-invalid",
  ],
  [
    "1Ki is more than 1k",
    onReport(requests("1k", "1Ki")),
    onReport(requests("1Ki", "1k")),
    "platform-value-invalid",
  ],
  [
    "Lt takes one whole number",
    onReport(requirement("Lt", ["4"])),
    onReport(requirement("Lt", ["four"])),
    "platform-value-invalid",
  ],
  [
    "Gt takes one whole number",
    onReport(requirement("Gt", ["-4"])),
    onReport(requirement("Gt", ["4", "5"])),
    "platform-value-invalid",
  ],
  [
    "init containers have names of their own in each pod",
    onKubernetes({ "exec-report": { initContainers: [init()] }, "exec-train": { initContainers: [init()] } }),
    onKubernetes({ "exec-report": { initContainers: [init(), init()] } }),
    "platform-value-invalid",
  ],
  [
    "the first delay is up to an hour",
    delay("backoffDuration", "3600s"),
    delay("backoffDuration", "3601s"),
    "retry-backoff-capped",
  ],
  [
    "all delays are up to an hour",
    delay("backoffMaxDuration", "3600s"),
    delay("backoffMaxDuration", "3601s"),
    "retry-backoff-capped",
  ],
  [
    "the first delay is not negative",
    delay("backoffDuration", "0s"),
    delay("backoffDuration", "-1s"),
    "retry-backoff-negative",
  ],
  [
    "a variable comes before its uses",
    env(["B", "1"], ["A", "$(B)/x"]),
    env(["A", "$(A)/x"]),
    "env-reference-early",
  ],
  [
    "only the place of the workspace is taken",
    mounted("/kfp-workspace-2"),
    mounted("/kfp-workspace"),
    "workspace-mount-conflict",
  ],
  [
    "what is in the workspace is taken, too",
    mounted("/kfp"),
    mounted("/kfp-workspace/a"),
    "workspace-mount-conflict",
  ],
];
for (const [name, right, wrong, code] of rows) {
  test(name, () => {
    expect(codes(right)).not.toContain(code);
    expect(codes(wrong)).toContain(code);
  });
}

describe("each pod has things of its own:", () => {
  const volume = { volumeName: "a", mountPath: "/a" };
  const mount = (constant: string) => ({ pvcMount: [{ constant, mountPath: "/data" }] });
  const field = (fieldPath: string) => ({ fieldPathAsEnv: [{ name: "NAME", fieldPath }] });
  const secret = { secretNameParameter: { runtimeValue: { constant: "a" } }, mountPath: "/b" };
  const pairs: readonly [code: string, one: object, other: object][] = [
    ["volume-repeated", { secretAsVolume: [secret] }, { emptyDirMounts: [volume] }],
    [
      "volume-merged",
      { emptyDirMounts: [{ ...volume, mountPath: "/b" }] },
      { emptyDirMounts: [{ ...volume, medium: "Memory" }] },
    ],
    ["mount-path-repeated", mount("a"), mount("b")],
    ["env-name-clash", field("metadata.name"), field("metadata.uid")],
  ];
  const together = (one: object, other: object) =>
    onReport(
      Object.fromEntries(
        [...new Set([...Object.keys(one), ...Object.keys(other)])].map((key) => [
          key,
          [one, other].flatMap((part) => Reflect.get(part, key) ?? []),
        ]),
      ),
    );
  const apart = (one: object, other: object) => onKubernetes({ "exec-report": one, "exec-train": other });

  test.each(pairs)("%s", (code, one, other) => {
    expect(codes(apart(one, other))).not.toContain(code);
    expect(codes(together(one, other))).toContain(code);
  });

  test("volume-unknown", () => {
    const mounted = [
      { initContainers: [init({ volumeMounts: [volume] })] },
      { emptyDirMounts: [volume] },
    ] as const;
    expect(codes(together(...mounted))).not.toContain("volume-unknown");
    expect(codes(apart(...mounted))).toContain("volume-unknown");
  });

  test("env-name-clash with the container", () => {
    const clash = (executor: string) => {
      const platform = onKubernetes({ [executor]: field("metadata.name") });
      return codes(env(["NAME", "a"]) + platform.slice(examplePipeline.length));
    };
    expect(clash("exec-train")).not.toContain("env-name-clash");
    expect(clash("exec-report")).toContain("env-name-clash");
  });
});

describe("nothing is unused as long as what may use it cannot be read:", () => {
  const pipeline = parse(examplePipeline);
  const broken = (edit: (pipeline: ReturnType<typeof parse>) => unknown) => {
    const copy = structuredClone(pipeline);
    edit(copy);
    return codes(stringify(copy));
  };

  test("components, when the tasks are lost", () => {
    expect(broken(({ root }) => (root.dag.tasks = 5))).toEqual(["wrong-type"]);
  });

  test("components, when there is no root", () => {
    expect(broken((file) => delete file.root)).not.toContain("component-unused");
  });

  test("components, when the component of a task is lost", () => {
    expect(broken(({ root }) => (root.dag.tasks.prepare.componentRef = 5))).not.toContain("component-unused");
  });

  test("executors, when the label of a component is lost", () => {
    expect(broken(({ components }) => (components["comp-report"].executorLabel = 5))).not.toContain(
      "executor-unused",
    );
  });
});

describe("a literal", () => {
  const literals = (constant: unknown, literal: unknown = { a: 1, b: { c: 2, d: 3 } }) => {
    const parameterType = Array.isArray(literal) ? "LIST" : "STRUCT";
    const options = { parameterType, literals: [literal] };
    return codes(
      patched({
        root: {
          dag: { tasks: { train: { inputs: { parameters: { options: { runtimeValue: { constant } } } } } } },
        },
        components: { "comp-train": { inputDefinitions: { parameters: { options } } } },
      }),
    );
  };

  test("is equal to a constant whatever the order of its keys, and to no other", () => {
    expect(literals({ b: { d: 3, c: 2 }, a: 1.0 })).not.toContain("constant-not-literal");
    expect(literals({ a: 1, b: { c: 2, d: 4 } })).toContain("constant-not-literal");
    expect(literals({ a: 1 })).toContain("constant-not-literal");
  });

  test("may have keys in any order itself", () => {
    const literal = { b: { d: 3, c: 2 }, a: [{ f: 1, e: 2 }] };
    expect(literals({ a: [{ e: 2, f: 1 }], b: { c: 2, d: 3 } }, literal)).not.toContain(
      "constant-not-literal",
    );
    expect(literals({ a: [{ e: 1, f: 2 }], b: { c: 2, d: 3 } }, literal)).toContain("constant-not-literal");
  });

  test("that is a list is equal to one with the same items in the same order", () => {
    expect(literals([1, "2"], [1, "2"])).not.toContain("constant-not-literal");
    expect(literals(["2", 1], [1, "2"])).toContain("constant-not-literal");
    expect(literals([1, 2], [1, "2"])).toContain("constant-not-literal");
  });
});

describe("a constant for an input with literals", () => {
  const literals = Array.from({ length: 11 }, (_, index) => `l${index}`);
  const hints = (constant: string) =>
    validatePipeline(epochs({ parameterType: "STRING", literals, defaultValue: "l0" }, constant))
      .problems.filter(({ code }) => code === "constant-not-literal")
      .map(({ hint }) => hint);

  test("that is a text is one of them, of which ten are told", () => {
    expect(hints("l10")).toEqual([]);
    const told = literals.slice(0, 10).map((one) => JSON.stringify(one));
    expect(hints("l11")).toEqual([`use one of ${told.join(",")}`]);
    expect(hints("")).toHaveLength(1);
  });

  test("is not known when it is still to be filled in", () => {
    expect(hints("{{$.pipeline_job_name}}")).toEqual([]);
    expect(hints("{{l0}}")).toHaveLength(1);
  });
});

test("signs that turn the direction of writing are shown as dots", () => {
  for (const sign of ["\u202a", "\u202e", "\u2066", "\u2069"]) {
    const text = stringify({ pipelineInfo: { name: "a" }, [`root${sign}`]: {}, schemaVersion: "2.1.0" });
    const found = validatePipeline(text);
    expect(JSON.stringify(found.problems)).toContain(sign);
    const shown = formatProblems(found, { source: text });
    expect(shown).not.toContain(sign);
    expect(shown).toContain("root·");
  }
});

describe("the host of an image", () => {
  for (const [host, isGood] of [
    ["[2001:db8::1]:5000", true],
    ["[::1]", true],
    ["[::ffff:10.0.0.1]:5000", true],
    ["10.0.0.1:5000", true],
    ["[registry]", false],
    ["[2001:db8::1", false],
    ["2001:db8::1", false],
  ] as const) {
    test(`${host} is ${isGood ? "one" : "none"}`, () => {
      const found = codes(report({ image: `${host}/team/img:1` }));
      expect(found).toEqual(isGood ? [] : ["image-invalid"]);
    });
  }
});
