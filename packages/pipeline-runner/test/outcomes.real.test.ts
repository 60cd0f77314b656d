import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Pipeline, parsePipeline, type RuntimeArtifact } from "@wye/pipeline-spec";
import { beforeAll, describe, expect, test } from "vitest";
import {
  type FinishedTask,
  type RunPipelineOptions,
  type RunResult,
  runPipeline,
  subprocessExecutor,
} from "../src/node/index.js";
import { makeFolder } from "./make-folder.js";
import { installPython, withoutPython } from "./python-environment.js";

// Pipelines of the corpus, really run: shell and Python components as they were compiled. What was recorded of the reference runner has
// to come out again: the end of every task, its inputs and outputs, what is in the files, and where they are. The step in which
// components install packages is replaced by a stand-in; the packages are there already.

interface TaskRecord {
  readonly component: string;
  readonly task: string;
  readonly status?: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly outputs: Readonly<Record<string, unknown>>;
}
interface Recorded {
  readonly status?: string;
  readonly deterministic?: boolean;
  readonly args: Readonly<Record<string, unknown>>;
  readonly tasks?: readonly TaskRecord[];
  readonly pipeline_outputs?: Readonly<Record<string, unknown>>;
}

const corpus = new URL("../../pipeline-spec/testdata/pipelines/", import.meta.url);
const {
  cases,
}: { readonly cases: Readonly<Record<string, { readonly [kind: string]: Recorded | undefined }>> } =
  JSON.parse(readFileSync(new URL("expected.json", corpus), "utf8"));
const runs = Object.entries(cases).flatMap(([file, { derived_run, reference_local_run }]) => {
  const run = derived_run ?? reference_local_run;
  return run?.tasks && run.status ? [{ file, run }] : [];
});

/** Files that toss coins, or ask for times: how they end is recorded, not what they do. */
const ofChance = new Set([
  "critical/flip_coin.yaml",
  "critical/parameter_oneof.yaml",
  "critical/pipeline_with_workspace.yaml",
  "essential/pipeline_with_condition.yaml",
  "essential/pipeline_with_metrics_outputs.yaml",
  "essential/pipeline_with_nested_conditions.yaml",
  "essential/pipeline_with_nested_conditions_yaml.yaml",
  "if_else_with_oneof_parameters.yaml",
  "output_metrics.yaml",
]);

/**
 * The Python runtime reports artifacts that a function returns without a name, and the reference runner believes it; the name of an
 * output artifact is its key, as on the back end.
 */
const withoutNames = "pipeline_with_parallelfor_list_artifacts_GH-12033.yaml";

let bin = "";
function pipelineOf(file: string): Pipeline {
  const parsed = parsePipeline(readFileSync(new URL(`valid/${file}`, corpus), "utf8"));
  return parsed.ok ? parsed.pipeline : expect.unreachable(file);
}

interface Ran {
  readonly result: RunResult;
  readonly pipelineRoot: string;
}

async function run(file: string, options: RunPipelineOptions = {}): Promise<Ran> {
  const temporary = makeFolder();
  const executor = subprocessExecutor({
    environment: { PATH: `${bin}:${process.env.PATH}`, TMPDIR: temporary, HOME: temporary },
  });
  const pipelineRoot = makeFolder();
  const result = await runPipeline(pipelineOf(file), { pipelineRoot, executor, ...options });
  return { result, pipelineRoot: options.pipelineRoot ?? pipelineRoot };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** Text with the places of this machine and the moments of this run as they are written in records. */
function neutral(text: string, pipelineRoot: string, workspace: string): string {
  return text
    .replaceAll(workspace, "<TMP>")
    .replaceAll(pipelineRoot, "<ROOT>")
    .replaceAll(/-\d{4}-\d\d-\d\d-\d\d-\d\d-\d\d-\d{3}/g, "-<TS>");
}

/** An artifact as records have it. */
function recordOf({ name, uri, metadata, type }: RuntimeArtifact) {
  const isFile = existsSync(uri) && statSync(uri).isFile();
  return {
    artifact: type?.kind?.value,
    name,
    uri,
    metadata: metadata ?? {},
    ...(isFile ? { content: readFileSync(uri, "utf8") } : {}),
  };
}

function outputsOf({ outputs }: Pick<FinishedTask, "outputs">): Record<string, unknown> {
  const artifacts = Object.entries(outputs?.artifacts ?? {}).map(([name, list]) => [
    name,
    list.artifacts.length === 1 && list.artifacts[0]
      ? recordOf(list.artifacts[0])
      : list.artifacts.map(recordOf),
  ]);
  return { ...outputs?.parameters, ...Object.fromEntries(artifacts) };
}

/** What was carried out, in an order that does not depend on the run. DAGs have folders here, which the reference runner does not have. */
function recordsOf({ result, pipelineRoot }: Ran) {
  const dags = result.tasks.filter(({ kind, iteration }) => kind === "dag" && iteration === undefined);
  const leaves = result.tasks.filter(
    ({ kind, attempts }) => kind !== "dag" && kind !== "loop" && attempts > 0,
  );
  const records = leaves.map((task) => ({
    task: task.displayName,
    status: task.state === "SUCCEEDED" ? "SUCCESS" : "FAILURE",
    outputs: outputsOf(task),
  }));
  let text = neutral(JSON.stringify(records), pipelineRoot, join(result.folder, "workspace"));
  for (const { name } of dags) text = text.replaceAll(`/${name}/`, "/");
  return sorted(JSON.parse(text));
}

const sorted = (records: readonly unknown[]) => records.map(canonical).toSorted();

/** JSON with sorted names; of files that are too long for a record nothing. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    isObject(member) && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

const expectedRecords = ({ tasks = [] }: Recorded) =>
  sorted(tasks.map(({ task, status = "SUCCESS", outputs }) => ({ task, status, outputs })));

describe.skipIf(withoutPython !== undefined)(
  withoutPython === undefined ? "pipelines of the corpus" : `Python components, left out: ${withoutPython}`,
  () => {
    beforeAll(() => {
      bin = installPython(makeFolder());
    });

    const parametersOf = ({ args }: Recorded) =>
      JSON.parse(JSON.stringify(args).replaceAll("<TMP>/retry.count", join(makeFolder(), "retry.count")));

    for (const { file, run: recorded } of runs.filter((one) => ofChance.has(one.file))) {
      test(`${file} ends as recorded, whatever its coins say`, async () => {
        const { result } = await run(file, { parameters: parametersOf(recorded) });
        expect([result.state, result.error]).toEqual(["SUCCEEDED", undefined]);
      });
    }

    for (const { file, run: recorded } of runs.filter((one) => !ofChance.has(one.file))) {
      test(`${file} does what was recorded`, async () => {
        const ran = await run(file, { parameters: parametersOf(recorded) });
        expect(ran.result.state).toBe(recorded.status === "SUCCESS" ? "SUCCEEDED" : "FAILED");
        const expected = expectedRecords(recorded);
        const named = expected.map((one) =>
          one.replace('"name":""', '"name":"Output"').replace('{"Output":""}', '{"Output":"Output"}'),
        );
        expect(recordsOf(ran)).toEqual(file === withoutNames ? named.toSorted() : expected);
        const outputs = Object.entries(recorded.pipeline_outputs ?? {}).filter(([, one]) => !isObject(one));
        for (const [name, value] of outputs) expect(ran.result.outputs?.parameters[name]).toEqual(value);
      });
    }

    const contentOf = (ran: Ran, key: string) =>
      (ran.result.outputs?.artifacts[key]?.artifacts ?? []).map(({ uri }) => readFileSync(uri, "utf8"));
    const logsOf = ({ result }: Ran, name: string) =>
      result.tasks
        .filter((task) => task.name === name && task.log !== undefined)
        .map(({ log }) => readFileSync(log ?? "", "utf8"));

    test("nested loops, with a condition and lists of artifacts, come to their sum", async () => {
      const ran = await run("artifacts_complex.yaml");
      expect(ran.result.error).toBeUndefined();
      const leaves = ran.result.tasks.filter(({ kind, attempts }) => kind === "container" && attempts > 0);
      const calls = (of: string) => leaves.filter(({ name }) => name === of).length;
      const names = [...new Set(leaves.map(({ name }) => name))];
      expect(Object.fromEntries(names.map((name) => [name, calls(name)]))).toEqual({
        double: 3,
        "double-2": 6,
        add: 1,
        "add-2": 1,
        "add-two-ints": 1,
      });
      expect(contentOf(ran, "datasets")).toEqual(["2", "4", "6"]);
      const last = ran.result.tasks.find(({ name }) => name === "add-two-ints");
      const [out] = Object.values(last?.outputs?.artifacts ?? {});
      expect(readFileSync(out?.artifacts[0]?.uri ?? "", "utf8")).toBe("42");
    });

    test("a list of artifacts comes as JSON to a container", async () => {
      const ran = await run("artifacts_simple.yaml");
      expect(ran.result.error).toBeUndefined();
      const sums = ran.result.tasks.filter(({ name }) => name.startsWith("add"));
      const files = sums.map(({ outputs }) => outputs?.artifacts.out_dataset?.artifacts[0]?.uri ?? "");
      expect(files.map((file) => readFileSync(file, "utf8"))).toEqual(["12", "12"]);
    });

    test("optional artifacts are absent, and what is elsewhere is fetched", async () => {
      const gs = { fetch: async (_: string, path: string) => writeFileSync(path, "from far") };
      const ran = await run("components_with_optional_artifacts.yaml", { stores: { gs }, validate: false });
      expect(ran.result.error).toBeUndefined();
      expect(logsOf(ran, "custom-artifact-printer")).toEqual(["No artifact provided!\n"]);
      const printed = logsOf(ran, "python-artifact-printer").join();
      expect(printed).toContain("No artifact provided!");
      expect(printed).toContain(join(ran.result.folder, "fetched"));
    });

    test("one of two branches gives its artifact", async () => {
      const ran = await run("critical/if_else_with_oneof_artifacts.yaml");
      expect(ran.result.error).toBeUndefined();
      const printed = ran.result.tasks.filter(({ name }) => name.startsWith("print-artifact"));
      expect(printed.map(({ log }) => readFileSync(log ?? "", "utf8").includes("heads"))).toEqual([
        true,
        true,
      ]);
      expect(ran.result.tasks.some(({ state }) => state === "SKIPPED")).toBe(true);
    });

    test("a pipeline in a pipeline gives the artifact of its task", async () => {
      const ran = await run("parallel_and_nested/pipeline_in_pipeline_loaded_from_yaml.yaml");
      expect(ran.result.error).toBeUndefined();
      const inner = ran.result.tasks.find(({ outputs }) => outputs?.artifacts.data !== undefined);
      expect(existsSync(inner?.outputs?.artifacts.data?.artifacts[0]?.uri ?? "")).toBe(true);
    });

    test("a task that ignores a failure before it gets the default of its own input", async () => {
      const ran = await run("pipeline_with_task_using_ignore_upstream_failure.yaml");
      expect(ran.result.state).toBe("FAILED");
      const states = ran.result.tasks.map(({ name, state }) => [name, state]);
      expect(states).toEqual([
        ["fail-op", "FAILED"],
        ["print-op", "SUCCEEDED"],
      ]);
      expect(logsOf(ran, "print-op").join()).toContain("default");
    });

    test("all facts of a run are there", async () => {
      const ran = await run("critical/pipeline_with_placeholders.yaml");
      expect([ran.result.state, ran.result.error]).toEqual(["SUCCEEDED", undefined]);
    });

    test("functions return several artifacts, below URIs that they ask for", async () => {
      const ran = await run("pythonic_artifacts_with_multiple_returns.yaml");
      expect(ran.result.error).toBeUndefined();
      expect(contentOf(ran, "Output").join()).not.toBe("");
    });

    test("an exit task hears how the body ended", async () => {
      const ran = await run("local_execution/local_execution_pipeline_with_exit_handler.yaml", {
        parameters: { message: "hi" },
      });
      const outputs = ran.result.tasks.flatMap((task) => Object.values(task.outputs?.parameters ?? {}));
      expect(outputs).toContain("exit:SUCCEEDED");
    });

    test("the second run takes its result from the cache", async () => {
      const options = { parameters: { x: 1 }, cache: true, pipelineRoot: makeFolder() };
      const file = "local_execution/pipeline_with_caching.yaml";
      const runs = [await run(file, options), await run(file, options)];
      expect(runs.map(({ result }) => result.outputs?.parameters.Output)).toEqual([2, 2]);
      expect(runs.map(({ result }) => result.tasks[0]?.cached)).toEqual([undefined, true]);
    });
  },
);

describe("programs that stand in for those of images", () => {
  const program = `#!/bin/sh\nfor word in "$@"; do echo "[$word]"; done\n`;
  test.each<[string, Record<string, unknown>, (folder: string) => readonly string[]]>([
    [
      "container_with_concat_placeholder.yaml",
      { text1: "text" },
      (folder) => [`prefix-text${folder}/text2`, "--output_path", `${folder}/output_path`],
    ],
    [
      "container_with_if_placeholder.yaml",
      {},
      (folder) => ["default", "--dataset", `${folder}/dataset`, "--output_path", `${folder}/output_path`],
    ],
    [
      "container_with_placeholder_in_fstring.yaml",
      {},
      (folder) => ["prefix-text!", `${folder}/output_artifact/0`],
    ],
  ])("%s hands its arguments over", async (file, parameters, words) => {
    const programs = makeFolder();
    const write =
      'for word in "$@"; do last=$word; done\ncase $last in */output_path) printf x > "$last";; esac\n';
    writeFileSync(join(programs, "my_program"), program + write);
    chmodSync(join(programs, "my_program"), 0o755);
    const executor = subprocessExecutor({ environment: { PATH: `${programs}:${process.env.PATH}` } });
    const result = await runPipeline(pipelineOf(file), { parameters, executor, pipelineRoot: makeFolder() });
    expect(result.error).toBeUndefined();
    const [task] = result.tasks;
    expect(readFileSync(task?.log ?? "", "utf8")).toBe(
      words(task?.folder ?? "")
        .map((word) => `[${word}]\n`)
        .join(""),
    );
  });
});
