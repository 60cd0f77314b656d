import { CachingOptions, type PipelineSpec } from "@wye/pipeline-spec";

type Component = NonNullable<PipelineSpec["root"]>;

/**
 * A copy of a specification in which every task takes results of earlier runs, or none does; also those inside of other DAGs.
 *
 * @param keepsKeys  whether tasks keep the names that they have given to their results
 */
export function withCaching(spec: PipelineSpec, enableCache: boolean, keepsKeys: boolean): PipelineSpec {
  const components = Object.entries(spec.components).map(([name, one]): [string, Component] => [
    name,
    cached(one, enableCache, keepsKeys),
  ]);
  return {
    ...spec,
    components: Object.fromEntries(components),
    root: spec.root && cached(spec.root, enableCache, keepsKeys),
  };
}

function cached(component: Component, enableCache: boolean, keepsKeys: boolean): Component {
  const { implementation } = component;
  if (implementation?.$case !== "dag") return component;
  const tasks = Object.entries(implementation.value.tasks).map(([name, task]) => [
    name,
    {
      ...task,
      cachingOptions: CachingOptions.create({ ...(keepsKeys ? task.cachingOptions : {}), enableCache }),
    },
  ]);
  return {
    ...component,
    implementation: { $case: "dag", value: { ...implementation.value, tasks: Object.fromEntries(tasks) } },
  };
}
