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

test("a patch may hold whatever JSON can", () => {
  const specPatch = {
    podMetadata: { labels: ["x"], annotations: { a: 1 } },
    volumeClaimTemplates: [null, 7, {}],
  };
  expect(() => found({ specPatch: specPatch as JsonObject })).not.toThrow();
});
