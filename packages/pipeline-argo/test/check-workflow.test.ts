import { parsePipeline } from "@wye/pipeline-spec";
import { expect, test } from "vitest";
import { type ArgoWorkflow, toArgoWorkflow } from "../src/index.js";
import { mistakesOf } from "./check-workflow.js";

const parsed = parsePipeline(`
pipelineInfo: {name: hello}
root: {dag: {tasks: {a: {componentRef: {name: c}}, b: {componentRef: {name: c}, dependentTasks: [a]}}}}
components: {c: {executorLabel: e}}
deploymentSpec: {executors: {e: {container: {image: python}}}}
`);
const result = toArgoWorkflow(parsed.ok ? parsed.pipeline : expect.unreachable());
const text = JSON.stringify(result.ok ? result.workflow : expect.unreachable());

const breaks: readonly (readonly [from: string, to: string, mistake: string])[] = [
  ['"name":"root","inputs"', '"name":"other","inputs"', "root runs root, which there is not"],
  ['"name":"system-dag-driver"', '"name":"root"', "two templates have one name"],
  ['"depends":"a.Succeeded"', '"depends":"c.Succeeded"', "there is no task c.Succeeded"],
  ['"depends":"a-driver.Succeeded"', '"depends":""', "a does not wait for a-driver"],
  ["{{workflow.parameters.components-", "{{workflow.parameters.comp-", "there is no parameter comp-"],
  ["{{inputs.parameters.parent-dag-id}}", "{{inputs.parameters.dag-id}}", "there is no input dag-id"],
  ["outputs.parameters.cached-decision}}", "outputs.parameters.cached}}", "there is no output cached of"],
  ['{"name":"task-name"}', '{"name":"taskname"}', "a-driver gives no taskname"],
  ['{"name":"gcs-scratch","emptyDir"', '{"name":"gcs","emptyDir"', "there is no volume gcs-scratch"],
  ['"name":"b-driver"', '"name":"a-driver"', "two tasks have one name"],
];

test("a workflow without mistakes has none", () => {
  expect(mistakesOf(JSON.parse(text) as ArgoWorkflow)).toEqual([]);
});

for (const [from, to, mistake] of breaks) {
  test(`it is noticed that ${mistake}`, () => {
    expect(text).toContain(from);
    expect(mistakesOf(JSON.parse(text.replace(from, to)) as ArgoWorkflow).join()).toContain(mistake);
  });
}
