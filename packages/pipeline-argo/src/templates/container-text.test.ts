import { expect, test } from "vitest";
import { pipelineOf, to } from "../../test/small-pipelines.js";
import { containerText } from "./container-text.js";

/** What is hashed of a container that is written so. */
function textOf(container: object): string {
  const { executors } = pipelineOf({ tasks: { a: to("leaf") }, executor: { container } }).deployment;
  const spec = executors.e?.spec;
  return spec?.$case === "container" ? containerText(spec.value) : expect.unreachable();
}

test("a container is hashed with all its fields, in an order of their own", () => {
  const accelerator = { resourceCount: "rc", resourceType: "rt", count: "12345678901234567", type: "t" };
  const resources = {
    accelerator,
    ...{
      resourceMemoryRequest: "h",
      resourceCpuRequest: "g",
      resourceMemoryLimit: "f",
      resourceCpuLimit: "e",
    },
    ...{ memoryRequest: 4, cpuRequest: 3, memoryLimit: 2, cpuLimit: 1 },
  };
  const lifecycle = { preCacheCheck: { args: ["pa"], command: ["pc"] } };
  const env = [{ value: "v", name: "n" }, { name: "m" }];
  expect(textOf({ env, resources, lifecycle, args: ["a"], command: ["c"], image: "i" })).toBe(
    [
      '{"image":"i","command":["c"],"args":["a"],"lifecycle":{"pre_cache_check":{"command":["pc"],"args":["pa"]}}',
      '"resources":{"cpu_limit":1,"memory_limit":2,"cpu_request":3,"memory_request":4,"resource_cpu_limit":"e"',
      '"resource_memory_limit":"f","resource_cpu_request":"g","resource_memory_request":"h"',
      '"accelerator":{"type":"t","count":12345678901234567,"resource_type":"rt","resource_count":"rc"}}',
      '"env":[{"name":"n","value":"v"},{"name":"m"}]}',
    ].join(","),
  );
});

test.each([
  [{ image: "i", command: [], args: [], env: [] }, '{"image":"i"}'],
  [{ image: "i", resources: {} }, '{"image":"i","resources":{}}'],
  [
    { image: "i", resources: { cpuLimit: 0, accelerator: { count: "0", type: "" } } },
    '{"image":"i","resources":{"accelerator":{}}}',
  ],
  [{ image: "i", lifecycle: { preCacheCheck: {} } }, '{"image":"i","lifecycle":{"pre_cache_check":{}}}'],
])("what is empty in a container is not hashed, but for messages: %j", (container, text) => {
  expect(textOf(container)).toBe(text);
});
