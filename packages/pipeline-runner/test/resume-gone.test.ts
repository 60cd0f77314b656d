import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { parsePipeline } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { type Executor, type RunPipelineOptions, runPipeline } from "../src/node/index.js";
import { makeFolder } from "./make-folder.js";
import { shellPipeline } from "./shell-pipeline.js";

const early = { run: "", reads: "make" };
const wait = { run: "", after: ["early"] };
const make = { run: "", makes: true };
/** What reads the artifact of `make` once the run goes on. */
const pipeline = shellPipeline({
  make,
  early,
  wait,
  late: { run: "", after: ["wait"], gives: true, reads: "make" },
});
/** Nothing reads it any more. */
const needless = shellPipeline({ make, early, wait, late: { run: "", after: ["wait"], gives: true } });

type During = Partial<Record<string, (source: string | undefined) => void>>;

/** Runs a pipeline, and tells what was begun. */
async function run(options: RunPipelineOptions, during: During = {}, of = pipeline) {
  const begun: string[] = [];
  const executor: Executor = {
    execute: async ({ task: { id }, executorInput }) => {
      begun.push(id);
      const [made] = executorInput.outputs?.artifacts.data?.artifacts ?? [];
      const [read] = executorInput.inputs?.artifacts.source?.artifacts ?? [];
      if (made !== undefined && during[id] === undefined) writeFileSync(made.uri, "data");
      during[id]?.(read?.uri);
      const text = read !== undefined && existsSync(read.uri) ? readFileSync(read.uri, "utf8") : "nothing";
      const gives = Object.hasOwn(executorInput.outputs?.parameters ?? {}, "out");
      return { ok: true, outputs: gives ? { parameters: { out: text } } : {} };
    },
  };
  return { result: await runPipeline(of, { executor, ...options }), begun };
}

/** A run that is cancelled in the middle, and where `make` has put its artifact. */
async function interrupted(during: During = {}, of = pipeline) {
  const user = new AbortController();
  const options = { pipelineRoot: makeFolder(), signal: user.signal };
  const { result } = await run(options, { wait: () => user.abort(), ...during }, of);
  expect(result.state).toBe("CANCELLED");
  return { resumeFrom: result.folder, data: join(result.folder, "make", "data") };
}

describe("a run that is resumed when what a task had made is gone", () => {
  test("makes it again, with all that came after it, and says so", async () => {
    const { resumeFrom, data } = await interrupted();
    rmSync(data);
    const { result, begun } = await run({ resumeFrom });
    expect([result.state, begun]).toEqual(["SUCCEEDED", ["make", "early", "wait", "late"]]);
    expect(result.tasks.at(-1)?.outputs?.parameters).toEqual({ out: "data" });
    expect(result.warnings).toEqual([
      `what make had made is gone (${data}), and it is done again, with all that came after it`,
    ]);
  });

  test.each<[string, (data: string) => void]>([
    ["nothing is left in a file", (data) => truncateSync(data)],
    ["an empty folder is in its place", (data) => void [rmSync(data), mkdirSync(data)]],
  ])("makes it again where %s", async (_, lose) => {
    const { resumeFrom, data } = await interrupted();
    lose(data);
    const { result, begun } = await run({ resumeFrom });
    expect([result.state, begun]).toEqual(["SUCCEEDED", ["make", "early", "wait", "late"]]);
    expect(result.tasks.at(-1)?.outputs?.parameters).toEqual({ out: "data" });
    expect(result.warnings.join()).toContain(`what make had made is gone (${data})`);
  });

  /** Runs `pipeline` with what an executor of its own makes, interrupts it, changes that, goes on, and tells what is begun then. */
  async function begunAfter(make: (data: string) => void, change: (data: string) => void) {
    const user = new AbortController();
    const begun: string[] = [];
    const executor: Executor = {
      execute: async ({ task: { id }, executorInput }) => {
        begun.push(id);
        const [made] = executorInput.outputs?.artifacts.data?.artifacts ?? [];
        if (made !== undefined) make(made.uri);
        if (id === "wait") user.abort();
        return { ok: true, outputs: id === "late" ? { parameters: { out: "" } } : {} };
      },
    };
    const options = { pipelineRoot: makeFolder(), executor };
    const { folder } = await runPipeline(pipeline, { ...options, signal: user.signal });
    change(join(folder, "make", "data"));
    begun.length = 0;
    expect((await runPipeline(pipeline, { executor, resumeFrom: folder })).state).toBe("SUCCEEDED");
    return begun;
  }

  test("makes a folder again in which nothing is left, and not one with some of it", async () => {
    const fill = (data: string) => {
      mkdirSync(data, { recursive: true });
      for (const name of ["one", "two"]) writeFileSync(join(data, name), "");
    };
    const lose = (...names: readonly string[]) => {
      return (data: string) => names.forEach((name) => void rmSync(join(data, name)));
    };
    expect(await begunAfter(fill, lose("one", "two"))).toEqual(["make", "early", "wait", "late"]);
    expect(await begunAfter(fill, lose("one"))).toEqual(["late"]);
  });

  test.each<[string, (data: string) => void]>([
    ["a file", (data) => writeFileSync(data, "")],
    ["a folder", (data) => void mkdirSync(data)],
  ])("goes on with %s that was empty when its task had ended", async (_, make) => {
    expect(await begunAfter(make, () => {})).toEqual(["late"]);
  });

  test("goes on with what was not there when its task had ended, and is now", async () => {
    expect(
      await begunAfter(
        () => {},
        (data) => writeFileSync(data, "later"),
      ),
    ).toEqual(["late"]);
  });

  test("makes again what those were made of that are made again", async () => {
    const steps = shellPipeline({
      make: { run: "", makes: true },
      copy: { run: "", makes: true, reads: "make" },
      wait: { run: "", after: ["copy"] },
      late: { run: "", after: ["wait"], gives: true, reads: "copy" },
      other: { run: "", makes: true },
      last: { run: "", after: ["late"], reads: "other" },
    });
    const { resumeFrom, data } = await interrupted({}, steps);
    const others = ["copy", "other"].map((task) => join(resumeFrom, task, "data"));
    for (const file of [data, ...others]) rmSync(file);
    const { result, begun } = await run({ resumeFrom }, {}, steps);
    expect([result.state, begun.toSorted()]).toEqual([
      "SUCCEEDED",
      ["copy", "last", "late", "make", "other", "wait"],
    ]);
    expect(result.warnings.map((one) => one.split(" had ")[0])).toEqual([
      "what copy",
      "what other",
      "what make",
    ]);
  });

  test("makes it again where the folder of the run is now", async () => {
    const { resumeFrom } = await interrupted();
    const moved = join(makeFolder(), "moved");
    renameSync(resumeFrom, moved);
    expect((await run({ resumeFrom: moved })).begun).toEqual(["late"]);
    const other = await interrupted();
    rmSync(other.data);
    const there = join(makeFolder(), "moved");
    renameSync(other.resumeFrom, there);
    const { result, begun } = await run({ resumeFrom: there });
    expect(begun).toEqual(["make", "early", "wait", "late"]);
    expect(result.warnings.join()).toContain(join(there, "make", "data"));
  });

  test("goes on with what is there, whoever has changed it", async () => {
    const { resumeFrom, data } = await interrupted();
    writeFileSync(data, "mended by hand");
    const { result, begun } = await run({ resumeFrom });
    expect([begun, result.warnings]).toEqual([["late"], []]);
    expect(result.tasks.at(-1)?.outputs?.parameters).toEqual({ out: "mended by hand" });
  });

  test("goes on without it where no task asks for it any more", async () => {
    const moves: During = { early: (source) => rmSync(source ?? "") };
    const { resumeFrom } = await interrupted(moves, needless);
    const { result, begun } = await run({ resumeFrom }, {}, needless);
    expect([result.state, begun, result.warnings]).toEqual(["SUCCEEDED", ["late"], []]);
  });

  test("goes on without it where there was none when its task had ended", async () => {
    const { resumeFrom } = await interrupted({ make: () => {} });
    const { result, begun } = await run({ resumeFrom });
    expect([result.state, begun, result.warnings]).toEqual(["SUCCEEDED", ["late"], []]);
  });

  test("makes it again for the attempt that had moved it away", async () => {
    const user = new AbortController();
    const moves: During = { late: (source) => void [rmSync(source ?? ""), user.abort()] };
    const failing: Executor = {
      execute: async ({ task: { id }, executorInput }, { signal }) => {
        const [made] = executorInput.outputs?.artifacts.data?.artifacts ?? [];
        const [read] = executorInput.inputs?.artifacts.source?.artifacts ?? [];
        if (made !== undefined) writeFileSync(made.uri, "data");
        if (id === "late") moves.late?.(read?.uri);
        return signal.aborted ? { ok: false, message: "stopped" } : { ok: true };
      },
    };
    const options = { pipelineRoot: makeFolder(), signal: user.signal, executor: failing };
    const { folder, state } = await runPipeline(pipeline, options);
    expect(state).toBe("CANCELLED");
    const { result, begun } = await run({ resumeFrom: folder });
    expect(begun).toEqual(["make", "early", "wait", "late"]);
    expect(result.tasks.at(-1)?.outputs?.parameters).toEqual({ out: "data" });
  });
});

/** A DAG around `make` and `wait`, whose artifact is read after it; a loop, whose iterations read it. */
const type = { schemaTitle: "system.Artifact", schemaVersion: "0.0.1" };
const data = { artifacts: { data: { artifactType: type } } };
const from = (producerTask: string) => ({
  artifacts: { source: { taskOutputArtifact: { producerTask, outputArtifactKey: "data" } } },
});
const source = { artifacts: { source: { artifactType: type } } };
const given = { artifacts: { source: { componentInputArtifact: "source" } } };
const container = (name: string, more = {}) => ({ [name]: { executorLabel: "exec", ...more } });
const nested = {
  "out of a DAG": {
    tasks: {
      inner: { componentRef: { name: "comp-inner" } },
      late: { componentRef: { name: "comp-read" }, dependentTasks: ["inner"], inputs: from("inner") },
    },
    inner: {
      outputDefinitions: data,
      dag: {
        tasks: {
          make: { componentRef: { name: "comp-make" } },
          wait: { componentRef: { name: "comp-wait" }, dependentTasks: ["make"] },
        },
        outputs: {
          artifacts: {
            data: { artifactSelectors: [{ producerSubtask: "make", outputArtifactKey: "data" }] },
          },
        },
      },
    },
  },
  "into a DAG": {
    tasks: {
      make: { componentRef: { name: "comp-make" } },
      inner: { componentRef: { name: "comp-inner" }, dependentTasks: ["make"], inputs: from("make") },
    },
    inner: {
      inputDefinitions: source,
      dag: {
        tasks: {
          wait: { componentRef: { name: "comp-wait" } },
          late: { componentRef: { name: "comp-read" }, dependentTasks: ["wait"], inputs: given },
        },
      },
    },
  },
  "into a loop": {
    tasks: {
      make: { componentRef: { name: "comp-make" } },
      wait: { componentRef: { name: "comp-wait" }, dependentTasks: ["make"] },
      inner: {
        componentRef: { name: "comp-inner" },
        dependentTasks: ["make"],
        inputs: from("make"),
        parameterIterator: { items: { raw: "[1,2]" }, itemInput: "item" },
        iteratorPolicy: { parallelismLimit: 1 },
      },
    },
    inner: {
      inputDefinitions: { ...source, parameters: { item: { parameterType: "NUMBER_INTEGER" } } },
      dag: {
        tasks: {
          wait: { componentRef: { name: "comp-wait" } },
          late: { componentRef: { name: "comp-read" }, dependentTasks: ["wait"], inputs: given },
        },
      },
    },
  },
};

test.each(Object.entries(nested))(
  "what is gone is made again where it goes %s",
  async (_, { tasks, inner }) => {
    const parsed = parsePipeline(
      JSON.stringify({
        pipelineInfo: { name: "nested" },
        schemaVersion: "2.1.0",
        sdkVersion: "kfp-2.0.0",
        root: { dag: { tasks } },
        components: {
          ...container("comp-make", { outputDefinitions: data }),
          ...container("comp-wait"),
          ...container("comp-read", { inputDefinitions: source }),
          "comp-inner": inner,
        },
        deploymentSpec: { executors: { exec: { container: { image: "alpine", command: ["true"] } } } },
      }),
    );
    if (!parsed.ok) throw new Error(parsed.problems[0]?.message);
    const user = new AbortController();
    const read: boolean[] = [];
    const executor: Executor = {
      execute: async ({ task: { component }, executorInput }) => {
        const [made] = executorInput.outputs?.artifacts.data?.artifacts ?? [];
        const [given] = executorInput.inputs?.artifacts.source?.artifacts ?? [];
        if (made !== undefined) {
          mkdirSync(made.uri, { recursive: true });
          writeFileSync(join(made.uri, "one"), "");
        }
        if (component === "comp-wait") user.abort();
        if (given !== undefined) read.push(existsSync(join(given.uri, "one")));
        return { ok: true };
      },
    };
    const options = { executor, concurrency: 1 };
    const first = await runPipeline(parsed.pipeline, {
      ...options,
      pipelineRoot: makeFolder(),
      signal: user.signal,
    });
    expect(first.state).toBe("CANCELLED");
    const uri = first.tasks.find(({ outputs }) => outputs?.artifacts.data)?.outputs?.artifacts.data;
    rmSync(uri?.artifacts[0]?.uri ?? "", { recursive: true });
    const { state, warnings } = await runPipeline(parsed.pipeline, { ...options, resumeFrom: first.folder });
    expect([state, new Set(read), warnings.length]).toEqual(["SUCCEEDED", new Set([true]), 1]);
  },
);
