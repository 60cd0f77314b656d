import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ParameterType, PrimitiveType } from "@wye/pipeline-spec";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  artifactResolver,
  dockerExecutor,
  type Executor,
  functionExecutor,
  type RunPipelineOptions,
  runPipeline,
  subprocessExecutor,
  type WorkResult,
} from "../src/node/index.js";
import { makeFolder } from "./make-folder.js";
import { type ShellTask, shellPipeline } from "./shell-pipeline.js";

// Hosts, executors and tasks that do what nobody expects of them.

const runShell = (tasks: Readonly<Record<string, ShellTask>>, options: RunPipelineOptions = {}) =>
  runPipeline(shellPipeline(tasks), { pipelineRoot: makeFolder(), ...options });
const executing = (execute: unknown): RunPipelineOptions => ({
  // Programs without types hand in anything.
  executor: { execute: execute as Executor["execute"] },
});

describe("executors", () => {
  const answers: [string, unknown, string][] = [
    [
      "throws at once",
      () => {
        throw new Error("not today");
      },
      "not today",
    ],
    ["rejects with a text", () => Promise.reject("no reason"), "no reason"],
    [
      "returns nothing",
      () => undefined,
      "the executor has returned a value of type undefined, not { ok: … }",
    ],
    ["resolves to null", () => Promise.resolve(null), "the executor has returned null, not { ok: … }"],
    ["fails without a reason", () => ({ ok: false }), "the executor gives no reason"],
    ["gives outputs that are none", () => ({ ok: true, outputs: { parameters: 3 } }), "parameters"],
  ];
  test.each(answers)("one that %s fails the task", async (_, execute, message) => {
    const result = await runShell({ task: { run: "true" } }, executing(execute));
    expect(result.state).toBe("FAILED");
    expect(result.error?.message).toContain(message);
  });

  test("one that returns its result without a promise is taken at its word", async () => {
    const result = await runShell(
      { task: { run: "true" } },
      executing((): WorkResult => ({ ok: true })),
    );
    expect(result.state).toBe("SUCCEEDED");
  });

  test("one that logs after its end, or what is no text, does no harm", async () => {
    let late: (chunk: string) => void = () => {};
    const execute: Executor["execute"] = async (_, { log }) => {
      log("in time\n");
      // Programs without types log anything.
      for (const odd of [3, null, {}]) (log as (chunk: unknown) => void)(odd);
      late = log;
      return { ok: true };
    };
    const result = await runShell({ task: { run: "true" } }, { executor: { execute } });
    late("too late\n");
    expect(result.state).toBe("SUCCEEDED");
    expect(readFileSync(result.tasks[0]?.log ?? "", "utf8")).toBe("in time\n3null[object Object]");
  });
});

test.each([
  [99, 99],
  [100, 100],
  [101, 100],
])("of %i warnings %i are told, each of them once", async (count, told) => {
  const words = Array.from({ length: count }, (_, index) => `odd ${index}`);
  const execute: Executor["execute"] = async (_, { warn }) => {
    for (const word of [...words, ...words.toReversed()]) warn(word);
    return { ok: true };
  };
  const { warnings } = await runShell({ task: { run: "true" } }, { executor: { execute } });
  expect(warnings).toEqual(words.slice(0, told));
});

describe("callbacks", () => {
  test("that reject are warnings", async () => {
    const rejects = () => Promise.reject(new Error("much later"));
    const result = await runShell({ task: { run: "echo hi" } }, { onEvent: rejects, onLog: rejects });
    expect(result.state).toBe("SUCCEEDED");
    expect(result.warnings).toContain("onEvent threw: much later");
    expect(result.warnings).toContain("onLog threw: much later");
  });

  test("that cancel the run when a task begins keep it from starting", async () => {
    const controller = new AbortController();
    const marks = join(makeFolder(), "marks");
    const result = await runShell(
      { task: { run: `touch ${marks}` } },
      {
        signal: controller.signal,
        onEvent: ({ state, task }) => task && state === "RUNNING" && controller.abort(),
      },
    );
    expect([result.state, result.tasks[0]?.state]).toEqual(["CANCELLED", "CANCELLED"]);
    expect(readdirSync(join(marks, ".."))).toEqual([]);
  });

  test("that cancel the run when one of several tasks begins keep the others from starting", async () => {
    const controller = new AbortController();
    const result = await runPipeline(shellPipeline({ a: { run: "true" }, b: { run: "true" } }), {
      pipelineRoot: makeFolder(),
      concurrency: 2,
      signal: controller.signal,
      onEvent: ({ state, task }) => task === "a" && state === "RUNNING" && controller.abort(),
    });
    expect([result.state, ...result.tasks.map(({ state }) => state)]).toEqual([
      "CANCELLED",
      "CANCELLED",
      "CANCELLED",
    ]);
  });

  test("that cancel the run at whatever event get a result, and hear of all events in their order", async () => {
    const iterator = { parameterIterator: { items: { raw: "[1, 2]" }, itemInput: "in" } };
    const tasks = {
      a: { run: "" },
      b: { run: "", after: ["a"] },
      c: { run: "", task: iterator },
      d: { run: "" },
    };
    const executor: Executor = { execute: async () => ({ ok: true }) };
    const heardUntil = async (last: number) => {
      const controller = new AbortController();
      const heard: number[] = [];
      const result = await runPipeline(shellPipeline(tasks), {
        pipelineRoot: makeFolder(),
        concurrency: 3,
        executor,
        validate: false,
        signal: controller.signal,
        onEvent: ({ number }) => {
          heard.push(number);
          if (heard.length === last) controller.abort();
        },
      });
      expect(heard).toEqual(result.events.map(({ number }) => number));
      expect(heard).toEqual(heard.map((_, index) => index + 1));
      return { heard: heard.length, state: result.state };
    };
    const whole = await heardUntil(0);
    expect(whole.state).toBe("SUCCEEDED");
    for (let last = 1; last <= 6; last++) expect((await heardUntil(last)).state).toBe("CANCELLED");
    for (let last = 7; last <= whole.heard; last++) {
      // When all has been done, there is nothing left to cancel.
      expect((await heardUntil(last)).state).toMatch(/^(CANCELLED|SUCCEEDED)$/);
    }
  });

  test("that a resumed run has hear of the tasks that begin again", async () => {
    const { folder } = await runShell({ task: { run: "true" } });
    const journal = join(folder, "run.jsonl");
    const lines = readFileSync(journal, "utf8").split("\n");
    writeFileSync(journal, `${lines.slice(0, 2).join("\n")}\n`);
    const heard: string[] = [];
    const onEvent = ({ task, state }: { readonly task: string; readonly state: string }) =>
      void heard.push(`${task} ${state}`);
    await runPipeline(shellPipeline({ task: { run: "true" } }), { resumeFrom: folder, onEvent });
    expect(heard).toEqual(["task QUEUED", "task RUNNING", "task SUCCEEDED", " SUCCEEDED"]);
  });
});

test("a clock that is put back while a task waits for its next attempt makes it wait no longer", async () => {
  const real = Date.now;
  const now = vi.spyOn(Date, "now");
  onTestFinished(() => void now.mockRestore());
  let attempts = 0;
  const executor: Executor = {
    execute: async () => {
      if (attempts++ > 0) return { ok: true };
      // So that not even the end of this attempt is told in the old time.
      now.mockImplementation(() => real() - 3_600_000);
      return { ok: false, message: "once" };
    },
  };
  const task = { retryPolicy: { maxRetryCount: 1, backoffDuration: "0.01s" } };
  const result = await runShell({ task: { run: "", task } }, { executor });
  expect([result.state, attempts]).toEqual(["SUCCEEDED", 2]);
  const times = result.events.map(({ at = 0 }) => at);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
});

test("a pipeline that is refused has nothing in its message that a terminal obeys", async () => {
  const name = "t\u001b[2J\u009b\u202e";
  const error = await runShell({ [name]: { run: "true" } }).catch((thrown: Error) => thrown);
  expect(error).toBeInstanceOf(Error);
  expect((error as Error).message).toContain("t\\u{1b}[2J");
  expect((error as Error).message.replaceAll("\n", "")).not.toMatch(/\p{Cc}|\u202e/u);
});

describe("names", () => {
  test("of tasks do not meet the files of the run, nor those of other tasks", async () => {
    const iterator = { parameterIterator: { items: { raw: "[1]" }, itemInput: "in" } };
    const names = ["workspace", "fetched", "run.jsonl", "run.lock", "loop-iteration-0", "loop", "Loop"];
    const tasks = Object.fromEntries(
      names.map((name): [string, ShellTask] => [
        name,
        {
          run: `printf ${name} > "$1"; sleep 0.1`,
          gives: true,
          ...(name === "loop" ? { task: iterator } : {}),
        },
      ]),
    );
    const result = await runShell(tasks, { validate: false, concurrency: 8 });
    expect(result.error).toBeUndefined();
    const containers = result.tasks.filter(({ kind }) => kind === "container");
    expect(new Set(containers.map(({ folder }) => folder)).size).toBe(names.length);
    for (const { id, outputs } of containers) expect(outputs?.parameters.out).toBe(id.replace("[0]", ""));
  });

  test("of outputs do not meet the files of the runner", async () => {
    const pipeline = shellPipeline({ task: { run: "true" } });
    const component = pipeline.spec.components["comp-task"] ?? expect.unreachable("it is there");
    const type = {
      parameterType: ParameterType.STRING,
      type: PrimitiveType.PRIMITIVE_TYPE_UNSPECIFIED,
      description: "",
    };
    const artifact = {
      artifactType: undefined,
      properties: {},
      customProperties: {},
      metadata: undefined,
      isArtifactList: false,
      description: "",
    };
    component.outputDefinitions = {
      parameters: { "executor_output.json": type, "log-1.txt": type, both: type },
      artifacts: { both: artifact, "log-2.txt": artifact },
    };
    const container = pipeline.deployment.executors["exec-task"]?.spec;
    if (container?.$case !== "container") return expect.unreachable("it is a container");
    const file = (name: string) => `{{$.outputs.parameters['${name}'].output_file}}`;
    const write = 'printf a > "$1"; printf b > "$2"; printf c > "$3"; printf d > "$4"; echo said';
    container.value.command = ["sh", "-c", write, "sh"];
    container.value.args = [
      ...["executor_output.json", "log-1.txt", "both"].map(file),
      "{{$.outputs.artifacts['both'].path}}",
    ];
    const result = await runPipeline(pipeline, { pipelineRoot: makeFolder(), validate: false });
    expect(result.error).toBeUndefined();
    const [task] = result.tasks;
    expect(task?.outputs?.parameters).toEqual({ "executor_output.json": "a", "log-1.txt": "b", both: "c" });
    expect(readFileSync(task?.outputs?.artifacts.both?.artifacts[0]?.uri ?? "", "utf8")).toBe("d");
    expect(readFileSync(task?.log ?? "", "utf8")).toBe("said\n");
  });
});

describe("tasks", () => {
  test.each<[string, string, string]>([
    ["a pipe", `mkfifo "$1"`, "is no file"],
    ["a folder", `mkdir "$1"`, "is no file"],
    ["a file of a gigabyte", `truncate -s 1G "$1"`, "has 1073741824 bytes, more than"],
  ])("that leave %s where an output parameter goes fail", async (_, run, message) => {
    const result = await runShell({ task: { run, gives: true } });
    expect(result.error?.message).toContain(message);
    expect(result.error?.message).toContain("out");
  });

  test("whose arguments are too long for the system say so, and are not tried again", async () => {
    const retryPolicy = { maxRetryCount: 3 };
    const long = "x".repeat(3_000_000);
    const result = await runShell({ task: { run: `: ${long}`, task: { retryPolicy } } });
    expect(result.error?.message).toContain("its arguments are too long for this system: the longest has 30");
    expect(result.tasks[0]?.attempts).toBe(1);
  });

  test("with a NUL in their arguments say so", async () => {
    const result = await runShell({ task: { run: "echo a\0b" } });
    expect(result.error?.message).toContain("null bytes");
    expect(result.state).toBe("FAILED");
  });

  test("in a log that cannot be written go on, with a warning", async () => {
    const result = await runShell({
      task: { run: `mkdir log-2.txt; echo said; exit $(test -e ../../once; echo $?)` },
    });
    expect(result.state).toBe("FAILED");
    const again = await runShell({
      task: {
        run: `test -e log-2.txt && { echo said; exit 0; }; mkdir log-2.txt; exit 1`,
        task: { retryPolicy: { maxRetryCount: 1 } },
      },
    });
    expect(again.state).toBe("SUCCEEDED");
    expect(again.warnings.join()).toContain("log-2.txt");
  });
});

describe("the cache", () => {
  const cachingOptions = { enableCache: true, cacheKey: "mine" };

  test("of a run that is resumed is the one beside its folder", async () => {
    const pipelineRoot = makeFolder();
    const tasks = { task: { run: `printf a > "$1"`, gives: true, task: { cachingOptions } } };
    const { folder } = await runShell(tasks, { pipelineRoot, cache: true });
    const journal = join(folder, "run.jsonl");
    writeFileSync(journal, `${readFileSync(journal, "utf8").split("\n")[0]}\n`);
    const result = await runPipeline(shellPipeline(tasks), { resumeFrom: folder, cache: true });
    expect(result.tasks[0]?.cached).toBe(true);
  });
});

describe("times of executors that would be over at once", () => {
  const executors = { subprocessExecutor, dockerExecutor };
  const long = [Number.POSITIVE_INFINITY, 2 ** 31, Number.NaN, -1, "60000ms"];
  for (const [name, make] of Object.entries(executors)) {
    test.each([...long, 0])(`${name}({ timeoutMs: %s })`, (timeoutMs) => {
      const options = { timeoutMs } as { readonly timeoutMs: number };
      expect(() => make(options)).toThrow(`the option "timeoutMs" of ${name} is between 0 and 2^31 ms`);
    });
    test.each(long)(`${name}({ graceMs: %s })`, (graceMs) => {
      const options = { graceMs } as { readonly graceMs: number };
      expect(() => make(options)).toThrow(`the option "graceMs" of ${name} is a number of milliseconds`);
    });
    test(`the longest of ${name} are taken`, () => {
      expect(() => make({ timeoutMs: 2 ** 31 - 1, graceMs: 2 ** 31 - 1 })).not.toThrow();
      expect(() => make({ graceMs: 0 })).not.toThrow();
    });
  }
});

describe("executors of wrong things are refused before there is a run", () => {
  // Programs without types hand in anything.
  const rough = (value: unknown) => value as never;
  test.each<[string, () => unknown, string]>([
    [
      "no functions",
      () => functionExecutor(rough(null)),
      "functionExecutor takes an object as its functions",
    ],
    ["what is no function", () => functionExecutor(rough({ fit: 1 })), "takes a function as its fit"],
    ["otherwise what is none", () => functionExecutor({}, { otherwise: rough(5) }), '"otherwise"'],
    ["an unknown option", () => functionExecutor({}, rough({ nope: 1 })), 'has no option "nope"'],
    [
      "no images",
      () => subprocessExecutor({ images: rough(null) }),
      '"images" of subprocessExecutor is an object',
    ],
    ["an image with a slip", () => subprocessExecutor({ images: { x: rough({ paths: [] }) } }), '"path"?'],
    [
      "a line for a list",
      () => subprocessExecutor({ images: { x: { entrypoint: rough("sh -c") } } }),
      "a list of texts",
    ],
    ["an index that is a list", () => artifactResolver(rough([])), "takes a function as its index"],
  ])("%s", (_, make, message) => {
    expect(make).toThrow(TypeError);
    expect(make).toThrow(message);
  });
});

test("an artifact that the pipeline does not take is refused like such a parameter", async () => {
  const artifacts = { data: { artifacts: [] } };
  const error = await runShell({ task: { run: "true" } }, { artifacts }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    code: "parameters",
    problems: [{ path: "/artifacts/data", message: "the pipeline has no input artifact data" }],
  });
});

describe("a run whose journal is removed ends, and says so", () => {
  /** A root, and what removes the journal of the first run below it. */
  function journalBelow(pipelineRoot = makeFolder()) {
    const removeJournal = () => rmSync(join(pipelineRoot, readdirSync(pipelineRoot)[0] ?? "", "run.jsonl"));
    return { pipelineRoot, removeJournal };
  }
  const wasRemoved = /the journal .*run\.jsonl was removed/;

  test.each([false, true])("while a task runs, with a cache: %j", async (cache) => {
    const { pipelineRoot, removeJournal } = journalBelow();
    const executor: Executor = {
      execute: async ({ task }) => {
        if (task.id === "a") removeJournal();
        return { ok: true };
      },
    };
    const task = { cachingOptions: { enableCache: true } };
    const tasks = { a: { run: "", task }, b: { run: "", after: ["a"] } };
    await expect(runShell(tasks, { pipelineRoot, executor, cache })).rejects.toThrow(wasRemoved);
  });

  test("also when nothing runs at the moment, and it is cancelled", async () => {
    const { pipelineRoot, removeJournal } = journalBelow();
    const user = new AbortController();
    const task = { retryPolicy: { maxRetryCount: 1, backoffDuration: "3600s" } };
    const running = runShell(
      { a: { run: "", task } },
      {
        ...executing(async () => ({ ok: false, message: "no" })),
        pipelineRoot,
        signal: user.signal,
        onEvent: ({ state, attempt }) => {
          if (state !== "QUEUED" || attempt !== 2) return;
          setImmediate(() => {
            removeJournal();
            user.abort();
          });
        },
      },
    );
    await expect(running).rejects.toThrow(wasRemoved);
  });
});

describe("options", () => {
  const wrong: [string, object][] = [
    ["a cache that is a number", { cache: 3 }],
    ["an executor that is a function", { executor: () => {} }],
    ["a callback that is a text", { onEvent: "log" }],
    ["a signal that is none", { signal: {} }],
    ["stores that cannot fetch", { stores: { gs: {} } }],
    ["a root that is a number", { pipelineRoot: 3 }],
    ["parameters beside a run to resume", { resumeFrom: "x", parameters: {} }],
    ["a configuration with slips in its names", { runtimeConfig: { parameter_values: { a: 1 } } }],
    ["a configuration that is none", { runtimeConfig: null }],
    ["artifacts that are paths", { artifacts: { data: "/tmp/data.csv" } }],
    ["artifacts without addresses", { artifacts: { data: { artifacts: [{ uri: 5 }] } } }],
    ["artifacts that are none", { artifacts: null }],
    ["limits that are none", { limits: null }],
  ];
  test.each(wrong)("like %s are refused before there is a folder", async (_, options) => {
    const pipelineRoot = makeFolder();
    const pipeline = shellPipeline({ task: { run: "true" } });
    await expect(runPipeline(pipeline, { pipelineRoot, ...options })).rejects.toThrow(TypeError);
    expect(readdirSync(pipelineRoot)).toEqual([]);
  });
});

describe("a folder in which none can be made, such as /proc,", () => {
  test("is refused for runs", async () => {
    const running = runShell({ task: { run: "true" } }, { pipelineRoot: "/proc/runs/of/wye" });
    await expect(running).rejects.toMatchObject({
      code: "folder",
      message: expect.stringContaining("choose another pipelineRoot: E"),
    });
  });

  test("keeps no results, and the run says so", async () => {
    const task = { cachingOptions: { enableCache: true } };
    const { state, warnings } = await runShell(
      { task: { run: "true", task } },
      { cache: "/proc/results/of/wye" },
    );
    expect([state, warnings]).toEqual([
      "SUCCEEDED",
      expect.arrayContaining([expect.stringMatching(/^the cache: E/)]),
    ]);
  });
});

test.each([["a text"], [undefined], [null], [[]], [{}], [{ ok: true, pipeline: {} }]])(
  "runPipeline(%j) is refused by its name",
  async (pipeline) => {
    // Programs without types hand in anything.
    const run = (options: RunPipelineOptions) => runPipeline(pipeline as never, options);
    for (const options of [{}, { validate: false }, { resumeFrom: true as const }])
      await expect(run(options)).rejects.toThrow(/^runPipeline takes a(n object as its)? pipeline/);
  },
);
