import { expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { examplePipeline, validatePipeline } from "../src/index.js";

const unknown = "{{$.inputs.parameters['none']}}";

/** A value in objects and lists, as the parts of a path say. */
const nested = (path: string): object =>
  path
    .split("/")
    .reduceRight<unknown>(
      (value, part) => (/^\d+$/.test(part) ? [value] : { [part]: value }),
      unknown,
    ) as object;

test.each([
  "image",
  "command/0",
  "args/0",
  "env/0/value",
  "lifecycle/preCacheCheck/command/0",
  "lifecycle/preCacheCheck/args/0",
  "resources/resourceCpuLimit",
  "resources/resourceCpuRequest",
  "resources/resourceMemoryLimit",
  "resources/resourceMemoryRequest",
  "resources/accelerator/resourceType",
  "resources/accelerator/resourceCount",
])("a placeholder in %s of a container is told once, where it stands", (field) => {
  const pipeline = parse(examplePipeline);
  const [label = "", { container }] =
    Object.entries<{ container: object }>(pipeline.deploymentSpec.executors)[0] ?? expect.unreachable();
  pipeline.deploymentSpec.executors[label] = { container: { ...container, ...nested(field) } };
  const { problems } = validatePipeline(stringify(pipeline));
  const codes = ["placeholder-unknown", "placeholder-unsupported"];
  const told = problems.filter(({ code }) => codes.includes(code)).map(({ path }) => path);
  expect(told).toEqual([`/deploymentSpec/executors/${label}/container/${field}`]);
});
