import { parsePipeline } from "@wye/pipeline-spec";
import { expect, test } from "vitest";
import { withCaching } from "./with-caching.js";

const task = (component: string, cachingOptions: object) => ({
  ...{ taskInfo: { name: "t" }, componentRef: { name: component }, cachingOptions },
});
const parsed = parsePipeline(
  JSON.stringify({
    pipelineInfo: { name: "p" },
    schemaVersion: "2.1.0",
    root: {
      dag: {
        outputs: {
          parameters: { o: { valueFromParameter: { producerSubtask: "group", outputParameterKey: "o" } } },
        },
        tasks: {
          group: task("group", { enableCache: true }),
          leaf: task("leaf", { enableCache: false, cacheKey: "own" }),
        },
      },
    },
    components: {
      group: { dag: { tasks: { inner: task("leaf", { enableCache: true, cacheKey: "inner" }) } } },
      leaf: { executorLabel: "exec" },
    },
    deploymentSpec: { executors: { exec: { container: { image: "alpine" } } } },
  }),
);
const { spec } = parsed.ok ? parsed.pipeline : expect.unreachable(JSON.stringify(parsed.problems));

/** What each task says of the cache. */
function optionsIn({ root, components }: typeof spec) {
  return Object.fromEntries(
    [root, ...Object.values(components)].flatMap((one) =>
      one?.implementation?.$case === "dag"
        ? Object.entries(one.implementation.value.tasks).map(([name, { cachingOptions }]) => [
            name,
            [cachingOptions?.enableCache, cachingOptions?.cacheKey],
          ])
        : [],
    ),
  );
}

test.each([true, false])("all tasks, also those in components, are cached or not: %j", (enableCache) => {
  const before = JSON.stringify(optionsIn(spec));
  expect(optionsIn(withCaching(spec, enableCache, false))).toEqual({
    ...{ group: [enableCache, ""], leaf: [enableCache, ""], inner: [enableCache, ""] },
  });
  expect(optionsIn(withCaching(spec, enableCache, true))).toEqual({
    ...{ group: [enableCache, ""], leaf: [enableCache, "own"], inner: [enableCache, "inner"] },
  });
  expect(JSON.stringify(optionsIn(spec))).toBe(before);
  const outputsIn = ({ root }: typeof spec) =>
    root?.implementation?.$case === "dag" ? root.implementation.value.outputs : undefined;
  expect(outputsIn(spec)?.parameters).toHaveProperty("o");
  expect(outputsIn(withCaching(spec, enableCache, true))).toEqual(outputsIn(spec));
  expect(withCaching(spec, enableCache, true).components.leaf).toEqual(spec.components.leaf);
});
