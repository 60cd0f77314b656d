import {
  type CacheKeyRun,
  cacheKey,
  compileCacheKey,
  compileTaskInputs,
  compileTrigger,
  type Profile,
  type Resolved,
  type TaskInputs,
  type TaskScope,
  type Trigger,
} from "@wye/pipeline-resolver";
import {
  type ComponentNode,
  isExitTask,
  isObject,
  type PipelineContainerSpec,
  type RuntimeArtifact,
  sortedMembers,
  type TaskNode,
} from "@wye/pipeline-spec";

/** What is known of a task before a run, compiled once however often it runs. */
export interface TaskPlan {
  readonly node: TaskNode;
  readonly component: ComponentNode;
  readonly displayName: string;
  readonly trigger: Trigger;
  readonly inputs: (scope: TaskScope) => Resolved<TaskInputs>;
  /** The siblings that it waits for, each once. */
  readonly upstream: readonly string[];
  /** The siblings that wait for it, each once. */
  readonly downstream: readonly string[];
  /** Starts however the tasks before it ended. */
  readonly isExit: boolean;
  /** How many iterations run at once. */
  readonly parallel: number;
  /** The key of a container whose result may be taken from a cache. */
  readonly cacheKey: ((run: CacheKeyRun) => string) | undefined;
}

/** The plans of a pipeline, made when they are first asked for. */
export class TaskPlans {
  readonly #plans = new Map<TaskNode, TaskPlan>();
  readonly #profile: Profile;

  constructor(profile: Profile) {
    this.#profile = profile;
  }

  /** The plan of a task; `checkRunnable` has seen that its component is there. */
  of(node: TaskNode): TaskPlan {
    const known = this.#plans.get(node);
    if (known !== undefined) return known;
    const plan = this.#make(node);
    this.#plans.set(node, plan);
    return plan;
  }

  #make(node: TaskNode): TaskPlan {
    const { component, spec } = node;
    if (component === undefined) throw new TypeError(`the task ${node.path} has no component`);
    const work = component.executor?.spec.spec;
    const container = work?.$case === "container" ? work.value : undefined;
    const { enableCache = false, cacheKey: customKey = "" } = spec.cachingOptions ?? {};
    return {
      node,
      component,
      displayName: spec.taskInfo?.name || node.name,
      trigger: compileTrigger(spec),
      inputs: compileTaskInputs(spec, component.spec, { profile: this.#profile }),
      upstream: unique(node.dependencies.map(({ to }) => to.name)),
      downstream: unique(node.dependents.map(({ from }) => from.name)),
      isExit: isExitTask(node),
      parallel: spec.iteratorPolicy?.parallelismLimit || Number.POSITIVE_INFINITY,
      cacheKey: enableCache && container ? cacheKeyOf(component, container, customKey) : undefined,
    };
  }
}

/**
 * The key of what a container makes: of all that it is given, also of defaults, which the back end leaves to the container, and of what an
 * artifact says of itself, for which the back end has the id in its store. A key of the author counts with the name of the component alone.
 */
function cacheKeyOf(
  component: ComponentNode,
  container: PipelineContainerSpec,
  customKey: string,
): (run: CacheKeyRun) => string {
  if (customKey !== "") {
    const key = cacheKey({ componentName: component.name ?? "", cacheKey: customKey });
    return () => key;
  }
  const compiled = compileCacheKey(component.spec, container);
  return ({ inputs: { parameters, artifacts: lists }, ...run }) => {
    const artifacts = Object.entries(lists).map(([name, list]) => [
      name,
      { artifacts: list.artifacts.map((artifact) => ({ ...artifact, name: identityOf(artifact) })) },
    ]);
    const inputs = { parameters, artifacts: Object.fromEntries(artifacts), defaulted: [] };
    return compiled({ ...run, inputs });
  };
}

/** All that is said of an artifact, in whichever order. */
function identityOf(said: RuntimeArtifact): string {
  return JSON.stringify(said, (_, value: unknown) => (isObject(value) ? sortedMembers(value) : value));
}

const unique = (names: readonly string[]): readonly string[] => [...new Set(names)];
