import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import {
  type PipelineDraft,
  PipelineSpecError,
  parsePipeline,
  rewritePipeline,
  walkMessages,
  writeJson,
} from "../index.js";

const text = `# Trains a model.
pipelineInfo:
  name: training # for the dashboard
  labels_are_none: {}
root:
  dag:
    tasks:
      # The first task.
      train:
        component_ref: {name: comp-train}
        retryPolicy: {maxRetryCount: 2}
components:
  comp-train: {executorLabel: exec-train}
deploymentSpec:
  executors:
    exec-train:
      container:
        image: 'python:3.12'   # the one of the team
        command:
        - sh
        - |
          echo hello
        env: [{name: A, value: "1"}]
---
# What only Kubernetes understands.
platforms:
  kubernetes:
    deploymentSpec:
      executors:
        exec-train: {imagePullPolicy: Always}
`.replace("  labels_are_none: {}\n", "");

function setImages({ deployment }: PipelineDraft): void {
  for (const { name, message } of walkMessages("PipelineDeploymentConfig", deployment)) {
    if (name === "PipelineContainerSpec") message.image = `mirror.example/${message.image}`;
  }
}

function rewritten(source: string, change: (draft: PipelineDraft) => void) {
  const result = rewritePipeline(source, change);
  return result.ok ? result : expect.unreachable(result.problems[0]?.message);
}

describe("a change", () => {
  test("leaves everything else as it was written", () => {
    const { text: after, keptComments } = rewritten(text, setImages);
    expect(keptComments).toBe(true);
    expect(after).toBe(text.replace("python:3.12", "mirror.example/python:3.12"));
  });

  test("finds the specification among the resources of a manifest", () => {
    const [specification = "", platform = ""] = text.split("---\n");
    const indented = (one: string) => one.trimEnd().replace(/^(?=.)/gm, "    ");
    const resource = (kind: string) => `apiVersion: pipelines.kubeflow.org/v2beta1\nkind: ${kind}\n`;
    const version = `spec:\n  pipelineSpec:\n${indented(specification)}\n  platformSpec:\n${indented(platform)}\n`;
    const manifest = `${resource("Pipeline")}spec: {} # nothing\n---\n${resource("PipelineVersion")}${version}`;
    const { text: after, keptComments } = rewritten(manifest, setImages);
    expect(keptComments).toBe(true);
    expect(after).toBe(manifest.replace("python:3.12", "mirror.example/python:3.12"));
  });

  test("finds the specification behind the platform specification", () => {
    const [specification = "", platform = ""] = text.split("---\n");
    const { text: after, keptComments } = rewritten(`${platform}---\n${specification}`, (draft) => {
      setImages(draft);
      const settings = draft.platform?.platforms.kubernetes?.deploymentSpec?.executors["exec-train"];
      if (settings === undefined) expect.unreachable("the executor has settings");
      settings.imagePullPolicy = "Never";
    });
    expect(keptComments).toBe(true);
    const changed = specification.replace("python:3.12", "mirror.example/python:3.12");
    expect(after).toBe(`${platform.replace("Always", "Never")}---\n${changed}`);
  });

  test("can add, remove and replace, in every document and in either spelling", () => {
    const { text: after, keptComments } = rewritten(text, ({ spec, deployment, platform }) => {
      for (const { name, message } of walkMessages("PipelineSpec", spec)) {
        if (name === "PipelineTaskSpec") {
          message.retryPolicy = undefined;
          message.cachingOptions = { enableCache: true, cacheKey: "" };
          message.componentRef = { name: "comp-other" };
        }
      }
      for (const { name, message } of walkMessages("PipelineDeploymentConfig", deployment)) {
        if (name === "PipelineContainerSpec") {
          message.env.push({ name: "TEAM", value: "yes" });
          message.command[0] = "bash";
        }
      }
      const executors = platform?.platforms.kubernetes?.deploymentSpec?.executors;
      if (executors !== undefined) executors["exec-train"] = { podMetadata: { labels: { team: "ml" } } };
    });
    expect(keptComments).toBe(true);
    for (const comment of text.match(/#.*/g) ?? []) expect(after).toContain(comment);
    expect(after).not.toContain("retryPolicy");
    expect(after).toContain("component_ref: {name: comp-other}");
    expect(after).toContain('value: "yes"');
    expect(after).toContain("- bash");
    const parsed = parsePipeline(after);
    const { spec, platform } = parsed.ok ? parsed.pipeline : expect.unreachable("it is valid");
    expect(JSON.stringify(writeJson("PipelineSpec", spec))).toContain(
      '"cachingOptions":{"enableCache":true}',
    );
    expect(platform?.platforms.kubernetes?.deploymentSpec?.executors["exec-train"]).toEqual({
      podMetadata: { labels: { team: "ml" } },
    });
  });

  test("of nothing gives the text itself", () => {
    expect(rewritePipeline(text, () => {})).toEqual({ ok: true, text, keptComments: true });
  });

  test("of a JSON file leaves what stands around the specification", () => {
    const run = readFileSync(new URL("../../testdata/api/run.json", import.meta.url), "utf8");
    const { text: after } = rewritten(run, setImages);
    expect(after).toContain('"storage_state": "AVAILABLE"');
    expect(after.split("\n")).toHaveLength(run.split("\n").length);
    expect(after).toContain('"image": "mirror.example/');
  });

  test("of a file with errors is refused with the errors", () => {
    expect(rewritePipeline("pipelineInfo: 5", () => {})).toMatchObject({
      ok: false,
      problems: [{ code: "wrong-type" }],
    });
  });
});

test("2,000 changes are made without searching for each", () => {
  const executors = Array.from({ length: 2_000 }, (_, i) => `    e${i}: {container: {image: python}}\n`).join(
    "",
  );
  const wide = `pipelineInfo: {name: wide}\ndeploymentSpec:\n  executors:\n${executors}`;
  const { text: after, keptComments } = rewritten(wide, setImages);
  expect(keptComments).toBe(true);
  expect(after.match(/mirror\.example/g)).toHaveLength(2_000);
});

test("2,000 additions to a file in one line are made without searching for each", () => {
  const executors = Array.from({ length: 2_000 }, (_, i) => [`e${i}`, { container: { image: "python" } }]);
  const deploymentSpec = { executors: Object.fromEntries(executors) };
  const wide = JSON.stringify({ pipelineInfo: { name: "wide" }, deploymentSpec });
  const { text: after } = rewritten(wide, ({ deployment }) => {
    for (const { name, message } of walkMessages("PipelineDeploymentConfig", deployment)) {
      if (name === "PipelineContainerSpec") message.args.push("--fast");
    }
  });
  expect(after.match(/--fast/g)).toHaveLength(2_000);
  expect(after).not.toContain("\n");
});

test("an async change is refused, whether it fails or not", async () => {
  const text = "pipelineInfo: {name: a}\nroot: {dag: {}}\n";
  const changes: readonly (() => unknown)[] = [
    async () => {},
    () => Promise.reject(new Error("registry down")),
  ];
  for (const change of changes) {
    expect(() => rewritePipeline(text, change)).toThrow(/must not be async/);
  }
  // A rejection that nobody handles would end the process, and this file, now.
  await new Promise((resolve) => setImmediate(resolve));
  expect(rewritePipeline(text, () => 5).ok).toBe(true);
});

describe("a change that would be lost is refused:", () => {
  const file =
    "pipelineInfo: {name: a}\nroot: {dag: {}}\ndeploymentSpec: {executors: {e: {container: {image: a}}}}\n";
  // What TypeScript would not let through is tried as well.
  const setRoot = (implementation: object) => (draft: PipelineDraft) =>
    Reflect.set(draft.spec.root ?? {}, "implementation", implementation);
  const rows: readonly [name: string, change: (draft: PipelineDraft) => unknown, message: string][] = [
    [
      "in spec.deploymentSpec",
      ({ spec }) => Reflect.set(spec.deploymentSpec ?? {}, "executors", {}),
      "are changed in `deployment`",
    ],
    ["a specification of its own", (draft) => Object.assign(draft, { spec: { ...draft.spec } }), "read only"],
    ["a specification that is given", ({ spec }) => ({ ...spec }), "change the draft in place"],
    ["a draft that is given", (draft) => ({ ...draft }), "change the draft in place"],
    [
      "a oneof without $case",
      setRoot({ executorLabel: "e" }),
      "/root: implementation must be { $case, value }, and $case one of dag, executorLabel",
    ],
    ["a oneof with another $case", setRoot({ $case: "label", value: "e" }), "/root: implementation must be"],
  ];
  for (const [name, change, message] of rows) {
    test(name, () => expect(() => rewritePipeline(file, change)).toThrow(message));
  }

  test("but not what a change happens to give", () => {
    const result = rewritePipeline(file, ({ spec }) =>
      Object.assign(spec.pipelineInfo ?? {}, { name: "b", description: "", displayName: "" }),
    );
    expect(result).toMatchObject({ ok: true, text: file.replace("name: a", "name: b") });
  });
});

test("an option that reading does not have is refused in the name of the function that was called", () => {
  const options = { maxDeep: 5 } as never;
  expect(() => rewritePipeline("a: 1", () => {}, options)).toThrow('rewritePipeline has no option "maxDeep"');
});

describe("what a message does not have", () => {
  const text = `pipelineInfo: {name: a}
root: {dag: {tasks: {train: {componentRef: {name: comp-train}}}}}
components: {comp-train: {executorLabel: exec-train}}
deploymentSpec: {executors: {exec-train: {container: {image: python}}}}
---
platforms: {kubernetes: {deploymentSpec: {executors: {exec-train: {imagePullPolicy: Always}}}}}
`;
  const container = ({ deployment }: PipelineDraft): object => {
    const spec = deployment.executors["exec-train"]?.spec;
    return spec?.$case === "container" ? spec.value : expect.unreachable("it is a container");
  };
  const task = ({ spec }: PipelineDraft): object => {
    const dag = spec.root?.implementation;
    return (dag?.$case === "dag" && dag.value.tasks.train) || expect.unreachable("it is a task");
  };
  const executor = ({ deployment }: PipelineDraft) =>
    deployment.executors["exec-train"] ?? expect.unreachable("it is an executor");
  const at = "/deploymentSpec/executors/exec-train";

  for (const [what, change, path, message] of [
    [
      "a misspelt field",
      (draft) => Object.assign(container(draft), { imagee: "busybox" }),
      `${at}/container/imagee`,
      'PipelineContainerSpec has no field "imagee": did you mean "image"?',
    ],
    [
      "a field in the spelling of the file",
      (draft) => Object.assign(task(draft), { retry_policy: {} }),
      "/root/dag/tasks/train/retry_policy",
      'PipelineTaskSpec has no field "retry_policy": did you mean "retryPolicy"?',
    ],
    [
      "a oneof that is misspelt",
      (draft) => Object.assign(executor(draft), { sepc: undefined, spce: {} }),
      `${at}/spce`,
      'ExecutorSpec has no field "spce": did you mean "spec"?',
    ],
    [
      "a choice without its oneof",
      (draft) => Object.assign(executor(draft), { container: { image: "x" } }),
      `${at}/container`,
      'ExecutorSpec has no field "container": write spec = { $case: "container", value: … }',
    ],
    [
      "what stands beside a choice",
      (draft) => Object.assign(executor(draft).spec ?? {}, { image: "x" }),
      at,
      'spec has no field "image": it is { $case, value }',
    ],
    [
      "a field that is like no other",
      (draft) => Object.assign(draft.spec, { labels: {} }),
      "/labels",
      'PipelineSpec has no field "labels"',
    ],
    [
      "a field of the platform specification",
      (draft) => Object.assign(draft.platform?.platforms.kubernetes ?? {}, { platfrom: "k8s" }),
      "/platforms/kubernetes/platfrom",
      'SinglePlatformSpec has no field "platfrom": did you mean "platform"?',
    ],
  ] satisfies readonly (readonly [string, (draft: PipelineDraft) => unknown, string, string])[]) {
    test(`is refused with its place: ${what}`, () => {
      const rewrite = () => rewritePipeline(text, (draft) => void change(draft));
      expect(rewrite).toThrow(new PipelineSpecError("unwritable", path, message));
    });
  }

  test("is none when nothing is put there, nor inside of free objects", () => {
    const { ok } = rewritePipeline(text, (draft) => {
      Object.assign(container(draft), { imagee: undefined });
      Object.assign(draft.platform?.platforms.kubernetes?.deploymentSpec?.executors["exec-train"] ?? {}, {
        own: 1,
      });
    });
    expect(ok).toBe(true);
  });
});

describe("a file that does not end its last line", () => {
  const before = "pipelineInfo: {name: a} # kept\nroot: {dag: {}}\n";
  for (const [what, end, change] of [
    ["a value that becomes lines", "sdkVersion: x", "echo a\necho b\n"],
    ["lines that become others", "sdkVersion: |\n  echo a", "echo b\n"],
    ["lines that get an end", "sdkVersion: |\n  echo a", "echo a\n"],
    ["lines that stay without", "sdkVersion: |\n  echo a", "echo a\necho c"],
    ["blanks at the end", "sdkVersion: x  ", "echo a\necho b\n"],
    ["a new field", "schemaVersion: 2.1.0", "echo a\necho b\n"],
    ["a new field behind lines", "schemaVersion: |\n  2.1.0", "echo a\n"],
  ] as const) {
    for (const lineEnd of ["\n", "\r\n"]) {
      test(`${what} (${JSON.stringify(lineEnd)})`, () => {
        const text = (before + end).replaceAll("\n", lineEnd);
        const result = rewritePipeline(text, ({ spec }) => {
          spec.sdkVersion = change;
        });
        if (!result.ok) expect.unreachable("it has no errors");
        expect(result.keptComments).toBe(true);
        const [first] = parseAllDocuments(result.text);
        const ended = /\n *$/.test(result.text) || !change.endsWith("\n");
        expect([first?.toJS().sdkVersion, ended]).toEqual([change, true]);
        const parsed = parsePipeline(result.text);
        expect(parsed.ok && parsed.pipeline.spec.sdkVersion).toBe(change);
      });
    }
  }
});
