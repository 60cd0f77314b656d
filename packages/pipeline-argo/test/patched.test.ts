import { expect, test } from "vitest";
import { type ArgoOptions, type JsonObject, toArgoWorkflow } from "../src/index.js";
import { type Json, pipelineOf, retries, to } from "./small-pipelines.js";

// Warnings are about the workflow that comes out: the patch of the administrator is laid over it last.

function found(options: ArgoOptions, task: Json = {}) {
  const { problems } = toArgoWorkflow(pipelineOf({ tasks: { a: to("leaf", task) } }), options);
  return problems.map(({ code, path, message }) => [code, path, message]);
}

const strategy = { limit: "3", backoff: { duration: "1s", factor: "2", maxDuration: "1h" } };
const template = "retry-system-container-impl";

test("what a patch mends is no warning", () => {
  const account = { serviceAccountName: "A B", specPatch: { serviceAccountName: "fine" } };
  expect(found(account)).toEqual([]);
  const policy = retries(3);
  expect(found({}, policy)).toMatchObject([["lost-retries", expect.anything(), expect.anything()]]);
  expect(found({ specPatch: { templates: [{ name: template, retryStrategy: strategy }] } }, policy)).toEqual(
    [],
  );
});

test("a tag of Argo is filled in before anything is named", () => {
  expect(found({ specPatch: { serviceAccountName: "{{workflow.parameters.account}}" } })).toEqual([]);
});

test("another part of the template mends no retries", () => {
  const specPatch = { templates: [{ name: template, activeDeadlineSeconds: 60 }] };
  expect(found({ specPatch }, retries(3)).map(([code]) => code)).toEqual(["lost-retries"]);
});

test.each<[Json, code: string, says: string]>([
  [{ serviceAccountName: "A B" }, "kubernetes-name", 'serviceAccountName: "A B" is no name'],
  [{ podMetadata: { labels: { "a b": "x" } } }, "kubernetes-label", 'podMetadata: "a b" is no key'],
  [{ podMetadata: { labels: { a: "x y" } } }, "kubernetes-label", 'podMetadata: "x y" is no value'],
  [{ podMetadata: { annotations: { "a b": "x y" } } }, "kubernetes-label", 'podMetadata: "a b" is no key'],
  [{ nodeSelector: { a: "x y" } }, "kubernetes-label", 'nodeSelector: "x y" is no value'],
])("what a patch breaks is one: %j", (specPatch, code, says) => {
  expect(found({ specPatch: specPatch as JsonObject })).toEqual([[code, "", expect.stringContaining(says)]]);
});

const inTemplate = (name: string, more: Json): Json => ({ templates: [{ name, ...more }] });
const impl = "system-container-impl";

test.each<[string, Json]>([
  ["a variable", inTemplate("system-container-driver", { container: { env: [{ name: "X", value: "5" }] } })],
  ["a volume", inTemplate(impl, { volumes: [{ name: "cache", persistentVolumeClaim: { claimName: "c" } }] })],
  ["an init container", inTemplate(impl, { initContainers: [{ name: "setup", image: "busybox" }] })],
  ["a task", inTemplate("root", { dag: { tasks: [{ name: "note", template: "x" }] } })],
  ["a parameter", { arguments: { parameters: [{ name: "x", default: "d" }] } }],
  ["a template", inTemplate("mine", {})],
])("what is added to a list that is there is refused, for the back end mixes it up: %s", (_, specPatch) => {
  expect(found({ specPatch: specPatch as JsonObject })).toEqual([
    ["invalid-spec-patch", "", expect.stringContaining("the back end mixes up")],
  ]);
});

test("so is another order than that of the list", () => {
  const [name, uid] = ["KFP_POD_NAME", "KFP_POD_UID"].map((name) => ({ name, value: "x" }));
  const env = (...list: unknown[]) => inTemplate(impl, { container: { env: list } }) as JsonObject;
  expect(found({ specPatch: env(name, uid) })).toEqual([]);
  expect(found({ specPatch: env(uid, name) })).toEqual([
    ["invalid-spec-patch", "", expect.stringContaining("mixes up env in another order")],
  ]);
});

test("so is what keeps something of the list that it replaces", () => {
  const specPatch = inTemplate(impl, { container: { envFrom: [{ secretRef: { name: "x" } }] } });
  expect(found({ specPatch: specPatch as JsonObject })).toEqual([
    ["invalid-spec-patch", "", expect.stringContaining("keeps configMapRef")],
  ]);
  expect(
    found({ specPatch: inTemplate(impl, { container: { command: ["a", "b"] } }) as JsonObject }),
  ).toEqual([]);
});

test.each<[field: string, list: readonly Json[]]>([
  [
    "tolerations",
    [
      { key: "gpu", effect: "NoSchedule" },
      { key: "gpu", effect: "NoExecute" },
    ],
  ],
  ["tolerations", [{ operator: "Exists" }]],
  [
    "hostAliases",
    [
      { ip: "10.0.0.1", hostnames: ["a"] },
      { ip: "10.0.0.1", hostnames: ["b"] },
    ],
  ],
])("a list that is not there yet is taken as it is: %s", (field, list) => {
  const specPatch = { [field]: list } as JsonObject;
  const result = toArgoWorkflow(pipelineOf({ tasks: { a: to("leaf") } }), { specPatch });
  expect(result.problems).toEqual([]);
  expect(result.ok && JSON.parse(JSON.stringify(result.workflow.spec))).toHaveProperty(field, list);
});

test("a patch may hold whatever JSON can", () => {
  const specPatch = {
    podMetadata: { labels: ["x"], annotations: { a: 1 } },
    volumeClaimTemplates: [null, 7, {}],
  };
  expect(() => found({ specPatch: specPatch as JsonObject })).not.toThrow();
});
