import { describe, expect, test } from "vitest";
import { type ValidateOptions, validatePipeline } from "../src/index.js";

// A good pipeline with something more that no run comes to: back ends never look at it.

const text = (component: string, executor = "", more = ""): string => `pipelineInfo: {name: a}
schemaVersion: 2.1.0
root: {dag: {tasks: {t: {taskInfo: {name: t}, componentRef: {name: comp-c}}${more}}}}
components: {comp-c: {executorLabel: e}, 'comp/x': ${component}}
deploymentSpec: {executors: {e: {container: {image: 'a:1', command: [b]}}${executor}}}
`;
const found = (source: string, options?: ValidateOptions) => {
  const { ok, problems } = validatePipeline(source, options);
  const codes = problems
    .map(({ severity, code }) => `${severity} ${code}`)
    .filter((one) => !/component-unused|executor-unused/.test(one));
  return { ok, codes: [...codes].sort() };
};

const broken = ", g: {container: {image: 'a b', command: [x]}}";
const rows: readonly (readonly [name: string, source: string, codes: readonly string[]])[] = [
  ["an unknown executor", text("{executorLabel: gone}"), ["executor-unknown"]],
  ["an unknown component", text("{dag: {tasks: {u: {componentRef: {name: gone}}}}}"), ["component-unknown"]],
  ["a DAG of nothing", text("{dag: {tasks: {}}}"), ["dag-empty"]],
  ["nothing at all", text("{}"), ["implementation-missing"]],
  ["a wrong image", text("{executorLabel: g}", broken), ["image-invalid"]],
  [
    "an input without type",
    text("{executorLabel: e, inputDefinitions: {parameters: {x: {}}}}"),
    ["parameter-type-missing"],
  ],
  [
    "settings of its executor",
    `${text("{executorLabel: g}", broken.replace("a b", "a:1"))}---\nplatforms: {kubernetes: {deploymentSpec: {executors: {g: {imagePullPolicy: Sometimes}}}}}\n`,
    ["platform-value-invalid"],
  ],
];

describe("what no run comes to is no error:", () => {
  for (const [name, source, codes] of rows) {
    test(name, () => {
      expect(found(source)).toEqual({
        ok: true,
        codes: expect.arrayContaining(codes.map((one) => `warning ${one}`)),
      });
      expect(found(source).codes.filter((one) => one.startsWith("error"))).toEqual([]);
    });
  }

  test("unless the document alone is asked, or somebody wants it to be one", () => {
    const source = text("{executorLabel: gone}");
    expect(found(source, { profile: "spec" }).ok).toBe(false);
    expect(found(source, { rules: { "executor-unknown": "error" } }).ok).toBe(false);
  });

  test("and what is only a remark elsewhere is no more than one there", () => {
    const joined = ", g: {container: {image: 'a:1', command: ['--x {{$}}']}}";
    expect(found(text("{executorLabel: g}", joined), { style: true }).codes).toContain(
      "info argument-joined",
    );
  });

  test("and what a run may come to, once a name on the way is mended, is one", () => {
    const misspelt = text(
      "{executorLabel: gone}",
      "",
      ", u: {taskInfo: {name: u}, componentRef: {name: comp-y}}",
    );
    expect(found(misspelt).codes).toEqual(
      expect.arrayContaining(["error component-unknown", "error executor-unknown"]),
    );
  });

  test("and so is one, once an executor on the way is mended", () => {
    const source = text("{executorLabel: gone}").replace(
      "comp-c: {executorLabel: e}",
      "comp-c: {executorLabel: f}",
    );
    expect(found(source).codes).toEqual([
      "error executor-unknown",
      "error executor-unknown",
      "warning component-name-style",
    ]);
  });

  test("and what an executor has that a run comes to as well is one", () => {
    const source = text("{executorLabel: e}").replace("a:1", "a b");
    expect(found(source).codes).toEqual(["error image-invalid", "warning component-name-style"]);
  });

  test("and what is read with everything else stays an error", () => {
    expect(found(text("{executorLabels: e}")).ok).toBe(false);
  });
});

test("of a body that nobody runs nobody knows whether its outputs are collected", () => {
  const type = "artifactType: {schemaTitle: system.Dataset, schemaVersion: 0.0.1}";
  const body = `{outputDefinitions: {artifacts: {o: {${type}, isArtifactList: true}}}, dag: {outputs: {artifacts: {o: {artifactSelectors: [{producerSubtask: m, outputArtifactKey: o}]}}}, tasks: {m: {taskInfo: {name: m}, componentRef: {name: comp-mk}}}}}, comp-mk: {executorLabel: e, outputDefinitions: {artifacts: {o: {${type}}}}}`;
  expect(found(text(body)).codes.filter((one) => one.includes("mismatch"))).toEqual([]);
  const used = text(body, "", ", u: {taskInfo: {name: u}, componentRef: {name: comp/x}}");
  expect(found(used).codes).toContain("error dag-output-artifact-mismatch");
});
