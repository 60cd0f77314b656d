import {
  type Artifacts,
  defaultPipelineRoot,
  type ParameterValues,
  type Profile,
  type RunFacts,
  resolveRootInputs,
  runRoot,
} from "@wye/pipeline-resolver";
import {
  buildGraph,
  type ComponentSpec,
  checkOptions,
  checkPipeline,
  configFromFile,
  describeValue,
  didYouMean,
  isObject,
  jsonProblem,
  type PartialMessage,
  type Pipeline,
  pointer,
  type RuntimeConfig,
} from "@wye/pipeline-spec";
import { isArtifactList } from "./check-report.js";
import { checkRunnable } from "./check-runnable.js";
import { PipelineRun } from "./pipeline-run.js";
import { PipelineRunError } from "./run-error.js";
import { RunMachine } from "./run-machine.js";
import { defaultLimits, type RunLimits } from "./run-settings.js";
import { checkSnapshot, type RunCommand, type RunSnapshot } from "./run-snapshot.js";

/** How a pipeline is run: JSON, so that it is part of a snapshot. */
export interface RunOptions {
  /** What the run is started with, as it is sent to a server, in place of what the file says that is a run or a job. */
  readonly runtimeConfig?: PartialMessage<RuntimeConfig>;
  /** Values of parameters, beside and over those of a file that is a run or a job. */
  readonly parameters?: ParameterValues;
  /** Artifacts for the inputs of the pipeline itself. */
  readonly artifacts?: Artifacts;
  /** Whose semantics hold: `kfp`, the default, is what the open-source back end does; `spec` the document to the letter. */
  readonly profile?: Profile;
  /** Names the run in URIs and placeholders; the name of the pipeline by default. */
  readonly runId?: string;
  /** Below which URI outputs go; by default what the run or the pipeline says. */
  readonly pipelineRoot?: string;
  /**
   * What becomes of the other tasks of a DAG when one has failed for good: those that do not wait for it go on (`continue`, the
   * default), or nothing starts any more but exit tasks (`stop`, as Argo Workflows does).
   */
  readonly afterFailure?: "continue" | "stop";
  /** What else placeholders can say about the run, such as when it was created. */
  readonly facts?: RunFacts;
  readonly limits?: Partial<RunLimits>;
  /** When the run starts, by the clock of the host. */
  readonly at?: number;
}

/**
 * Starts a run of a pipeline. Nothing happens by itself: `ready()` tells what may start, `report()` what has become of it.
 *
 * @throws PipelineRunError when the pipeline cannot be run at all, or not with these parameters
 */
export function startRun(pipeline: Pipeline, options: RunOptions = {}): PipelineRun {
  checkPipeline("startRun", pipeline);
  checkRunOptions(options);
  const { parameters, ...others } = options;
  // A snapshot says by itself what the run was started with.
  return startWith(pipeline, copied({ ...others, runtimeConfig: configOf(pipeline, options) }));
}

/** What the host does with its objects later is not part of the run. */
function copied(options: RunOptions): RunOptions {
  return JSON.parse(JSON.stringify(options));
}

function checkRunOptions(options: RunOptions): void {
  checkOptions("startRun", options, {
    runtimeConfig: "object",
    parameters: "object",
    artifacts: "object",
    profile: ["kfp", "spec"],
    runId: "any",
    pipelineRoot: "any",
    afterFailure: ["continue", "stop"],
    facts: "object",
    limits: "object",
    at: "any",
  });
  checkJson(options);
  const { runtimeConfig, artifacts } = options;
  if (runtimeConfig !== undefined) {
    checkOptions("the runtimeConfig of startRun", runtimeConfig, {
      parameters: "object",
      parameterValues: "object",
      gcsOutputDirectory: "text",
    });
  }
  for (const [name, list] of Object.entries(artifacts ?? {})) {
    if (!isArtifactList(list))
      throw new TypeError(
        `the option "artifacts" of startRun has lists: { ${JSON.stringify(name)}: { artifacts: [{ uri }] } }`,
      );
  }
}

/** Starts a run with nothing but what the options say. */
function startWith(pipeline: Pipeline, options: RunOptions): PipelineRun {
  const { profile = "kfp", afterFailure = "continue", artifacts = {} } = options;
  const graph = buildGraph(pipeline);
  const obstacles = checkRunnable(graph);
  if (graph.root === undefined || obstacles.length > 0) {
    throw new PipelineRunError("pipeline", "the pipeline cannot be run", obstacles);
  }
  const { runtimeConfig: config = { parameterValues: options.parameters ?? {} } } = options;
  refuseUnknown(graph.root.spec, artifacts);
  const inputs = resolveRootInputs(graph.root.spec, config, { profile, artifacts });
  if (!inputs.ok) {
    throw new PipelineRunError("parameters", "the run cannot start with these inputs", inputs.problems);
  }
  const { spec } = pipeline;
  const name = spec.pipelineInfo?.name || "pipeline";
  const { runId = name } = options;
  const pipelineRoot =
    options.pipelineRoot || config.gcsOutputDirectory || spec.defaultPipelineRoot || defaultPipelineRoot;
  const machine = new RunMachine(graph.root, inputs.value, {
    profile,
    afterFailure,
    root: runRoot(pipelineRoot, name, runId),
    facts: {
      pipeline_job_name: spec.pipelineInfo?.displayName || name,
      pipeline_job_resource_name: runId,
      pipeline_job_uuid: runId,
      pipeline_root: pipelineRoot,
      ...options.facts,
    },
    limits: limitsOf(options.limits),
  });
  machine.remark("", inputs);
  return new PipelineRun(machine, { pipeline, options });
}

/** As for parameters: an artifact that the pipeline does not take is a slip in its name. */
function refuseUnknown({ inputDefinitions }: ComponentSpec, artifacts: Artifacts): void {
  const names = Object.keys(inputDefinitions?.artifacts ?? {});
  const problems = Object.keys(artifacts).flatMap((name) => {
    if (names.includes(name)) return [];
    const near = didYouMean(name, names);
    const help = near === undefined ? "" : `; did you mean ${near}?`;
    const message = `the pipeline has no input artifact ${name}${help}`;
    return [{ code: "undeclared", severity: "error", path: pointer("/artifacts", name), message } as const];
  });
  if (problems.length > 0)
    throw new PipelineRunError("parameters", "the run cannot start with these inputs", problems);
}

/**
 * The run that a snapshot was taken of, in the state that it had. Tasks that were running are still running: a host that has lost
 * them reports them as `QUEUED`.
 *
 * @throws PipelineRunError when it is no snapshot, or one that this version cannot read
 */
export function resumeRun(snapshot: RunSnapshot): PipelineRun {
  checkSnapshot(snapshot);
  const run = startAgain(snapshot);
  snapshot.commands.forEach((command, i) => {
    try {
      if (command.kind === "cancel") run.cancel(command.options);
      else run.report(command.task, command.report);
    } catch (error) {
      // A cancellation of a damaged file may have options that no host can give.
      if (!(error instanceof PipelineRunError || error instanceof TypeError)) throw error;
      throw new PipelineRunError(
        "snapshot",
        `the snapshot cannot be followed at /commands/${i}: ${error.message}`,
      );
    }
  });
  return run;
}

/** The run of a snapshot as if these tasks had not succeeded, nor anything been done that came after them. */
export function resumeWithout(snapshot: RunSnapshot, tasks: ReadonlySet<string>): PipelineRun {
  const run = startAgain(snapshot);
  for (const command of snapshot.commands) {
    if (command.kind === "cancel") run.cancel(command.options);
    else if (command.report.state !== "SUCCEEDED" || !tasks.has(command.task)) reportIfPossible(run, command);
  }
  return run;
}

function reportIfPossible(run: PipelineRun, { task, report }: RunCommand & { kind: "report" }): void {
  try {
    run.report(task, report);
  } catch (error) {
    // What came after the tasks that are left out has not begun, or does not exist.
    if (!(error instanceof PipelineRunError)) throw error;
  }
}

function startAgain({ pipeline, options }: RunSnapshot): PipelineRun {
  try {
    checkRunOptions(options);
    return startWith(pipeline, options);
  } catch (error) {
    // Files hold anything: whatever is wrong inside them is wrong with the snapshot.
    const reason = error instanceof Error ? error.message : String(error);
    throw new PipelineRunError("snapshot", `the snapshot cannot be started: ${reason}`);
  }
}

/** Whatever a run is started with is part of its snapshots. */
function checkJson({ runId, pipelineRoot, at, ...options }: RunOptions): void {
  for (const [name, text] of Object.entries({ runId, pipelineRoot })) {
    if (text !== undefined && typeof text !== "string")
      throw new TypeError(`the option "${name}" of startRun is a text, not ${describeValue(text)}`);
  }
  if (at !== undefined && !Number.isFinite(at))
    throw new TypeError('the option "at" of startRun is a moment in milliseconds');
  for (const [name, value] of Object.entries(options)) {
    const problem = value === undefined ? undefined : jsonProblem(value);
    if (problem !== undefined)
      throw new TypeError(`the option "${name}" of startRun has to be JSON: ${problem}`);
  }
}

function configOf(pipeline: Pipeline, options: RunOptions): PartialMessage<RuntimeConfig> {
  const { runtimeConfig, parameters } = options;
  const said = runtimeConfig ?? configFromFile(pipeline);
  if (parameters === undefined) return said;
  if (runtimeConfig !== undefined) {
    throw new TypeError(
      "startRun takes parameters or a runtimeConfig: put the values into runtimeConfig.parameterValues",
    );
  }
  if (!isObject(parameters))
    throw new TypeError('the option "parameters" of startRun is an object of values by name');
  return { ...said, parameterValues: { ...said.parameterValues, ...parameters } };
}

function limitsOf(limits: Partial<RunLimits> = {}): RunLimits {
  for (const [name, value] of Object.entries(limits)) {
    if (!Object.hasOwn(defaultLimits, name)) {
      const near = didYouMean(name, Object.keys(defaultLimits));
      throw new TypeError(
        `startRun has no limit "${name}"${near ? `; did you mean "${near}"?` : ": it has tasks and depth"}`,
      );
    }
    if (!Number.isSafeInteger(value) || value < 1)
      throw new TypeError(`the limit "${name}" of startRun is a whole number from 1`);
  }
  return { ...defaultLimits, ...limits };
}
