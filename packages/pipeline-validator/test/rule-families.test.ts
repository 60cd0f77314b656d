import { buildGraph, parsePipeline } from "@wye/pipeline-spec";
import { expect, test } from "vitest";
import { validatePipeline } from "../src/index.js";
import { ruleFamilies } from "../src/rule-table.js";
import { exampleText } from "./example-text.js";
import { humanMistakes } from "./human-mistakes.js";

/** Texts in which every rule finds something somewhere, and most find nothing. */
const texts = [
  ...humanMistakes.map(({ text }) => text),
  ...ruleFamilies.flatMap(({ examples = "patch", rules }) =>
    examples === "patch" ? rules.map(({ examples: { wrong } }) => exampleText(examples, wrong)) : [],
  ),
];
const graphs = texts.flatMap((text) => {
  const parsed = parsePipeline(text);
  const pipeline = parsed.ok ? parsed.pipeline : parsed.partial;
  return pipeline === undefined ? [] : [buildGraph(pipeline)];
});

const twice = "{producerSubtask: a, outputParameterKey: t}, {producerSubtask: a, outputParameterKey: t}";
const container = (fields: string) => `root: {}\ndeploymentSpec: {executors: {e: {container: {${fields}}}}}`;
const settings = (fields: string) =>
  `root: {}\n---\nplatforms: {kubernetes: {deploymentSpec: {executors: {e: {${fields}}}}}}`;
const rootTask = (fields: string, more = "") => `root: {dag: {tasks: {a: {${fields}}}}}\n${more}`;
const rootInput = (fields: string) => `root: {inputDefinitions: {parameters: {a: {${fields}}}}}`;
const status = "{inputDefinitions: {parameters: {s: {parameterType: TASK_FINAL_STATUS}}}}";

/** Texts with one matter of a theme, about which something is wrong, and hardly anything else. */
// biome-ignore format: a table
const alone: readonly (readonly [id: string, text: string])[] = [
  ["oneof-repeated", `root: {dag: {outputs: {parameters: {t: {valueFromOneof: {parameterSelectors: [${twice}]}}}}, tasks: {a: {}}}}`],
  ["default-type-mismatch", rootInput("parameterType: NUMBER_INTEGER, defaultValue: x")],
  ["literal-type-mismatch", rootInput("parameterType: NUMBER_INTEGER, literals: [x]")],
  ["iterator-policy-unused", rootTask("iteratorPolicy: {parallelismLimit: 2}")],
  ["iterator-incomplete", rootTask("parameterIterator: {}")],
  ["iterator-items-invalid", rootTask("parameterIterator: {items: {raw: x}}")],
  ["condition-invalid", rootTask("triggerPolicy: {condition: 'x('}")],
  ["selector-invalid", rootTask("inputs: {parameters: {p: {runtimeValue: {constant: x}, parameterExpressionSelector: 'x('}}}")],
  ["env-name-missing", container("env: [{value: a}]")],
  ["env-name-invalid", settings("fieldPathAsEnv: [{name: A.B, fieldPath: metadata.name}]")],
  ["final-status-strategy", rootTask("inputs: {parameters: {s: {taskFinalStatus: {producerTask: b}}}}")],
  ["final-status-source", rootTask("componentRef: {name: c}, inputs: {parameters: {s: {runtimeValue: {constant: x}}}}", `components: {c: ${status}}`)],
  ["single-platform-specs-ignored", "root: {singlePlatformSpecs: [{platform: kubernetes}]}"],
  ["platform-unknown", "root: {}\n---\nplatforms: {other: {}}"],
  ["resource-invalid", container("resources: {resourceCpuLimit: x}")],
  ["artifact-type-missing", "root: {inputDefinitions: {artifacts: {a: {}}}}"],
  ["executor-unsupported", "root: {}\ndeploymentSpec: {executors: {e: {customJob: {customJob: {a: b}}}}}"],
  ["executor-unsupported", "root: {}\ndeploymentSpec: {executors: {e: {resolver: {}}}}"],
  ["importer-uri-missing", "root: {}\ndeploymentSpec: {executors: {e: {importer: {}}}}"],
  ["dag-output-undeclared", "root: {dag: {outputs: {parameters: {t: {}}}}}"],
  ["dag-output-unproduced", "root: {dag: {tasks: {}}, outputDefinitions: {parameters: {t: {parameterType: STRING}}}}"],
  ["executor-output-list", "root: {}\ncomponents: {c: {executorLabel: e, outputDefinitions: {artifacts: {a: {isArtifactList: true}}}}}"],
];
test.each(alone)("%s is found where there is nothing else: %s", (id, text) => {
  const parsed = parsePipeline(text);
  const pipeline = (parsed.ok ? parsed.pipeline : parsed.partial) ?? expect.fail("no pipeline");
  const graph = buildGraph(pipeline);
  const family = ruleFamilies.find(({ rules }) => rules.some((rule) => rule.id === id));
  expect(family?.appliesTo?.(graph)).toBe(true);
  expect(validatePipeline(text, { profile: "kfp" }).problems.map(({ code }) => code)).toContain(id);
});

for (const { title, appliesTo, rules } of ruleFamilies) {
  if (appliesTo === undefined) continue;
  test(`where there is nothing of what "${title}" is about, none of its rules finds anything`, () => {
    const others = graphs.filter((graph) => !appliesTo(graph));
    const found = others.flatMap((graph) =>
      (["kfp", "spec"] as const).flatMap((profile) =>
        rules.flatMap(({ id, check }) => [...(check?.(graph, profile) ?? [])].map(({ at }) => `${id} ${at}`)),
      ),
    );
    expect(found).toEqual([]);
    // Both occur, so that the test says something.
    expect(others.length).toBeGreaterThan(0);
    expect(others.length).toBeLessThan(graphs.length);
  });
}
