import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parsePipeline } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { startRun } from "../src/index.js";
import {
  dockerExecutor,
  functionExecutor,
  type RunPipelineOptions,
  runPipeline,
  writeRunReport,
} from "../src/node/index.js";
import { makeFolder } from "./make-folder.js";
import { type ShellTask, shellPipeline } from "./shell-pipeline.js";

// Tasks that leave links and pipes where the runner looks, or change what they were given.

const runShell = (tasks: Readonly<Record<string, ShellTask>>, options: RunPipelineOptions = {}) =>
  runPipeline(shellPipeline(tasks), { pipelineRoot: makeFolder(), ...options });
const once = { retryPolicy: { maxRetryCount: 1, backoffDuration: "0.001s" } };

/** A file that no task was given. */
function foreign(text: string): string {
  const path = join(makeFolder(), "foreign");
  writeFileSync(path, text);
  return path;
}

/** A stand-in for docker that runs the command on this machine, and notes what it is to show to containers. */
function install() {
  const folder = makeFolder();
  const [program, calls] = [join(folder, "docker"), join(folder, "calls")];
  const script = [
    "#!/bin/bash",
    '[ "$1" = run ] || exit 0',
    `echo "$*" >> ${calls}`,
    "shift",
    'while [ "$1" != alpine ]; do [ "$1" = --entrypoint ] && program=$2; shift; done',
    "shift",
    'exec $program "$@"',
  ];
  writeFileSync(program, script.join("\n"));
  chmodSync(program, 0o755);
  return { executor: dockerExecutor({ program }), started: () => readFileSync(calls, "utf8") };
}

describe("a link out of the folder of a task", () => {
  test("is no output parameter", async () => {
    const secret = foreign("secret");
    const result = await runShell({ task: { run: `ln -s ${secret} "$1"`, gives: true } });
    expect(result.error?.message).toContain("output parameter out is a link out of its folder");
    expect(JSON.stringify(result)).not.toContain('"secret"');
  });

  test("is no executor output", async () => {
    const made = foreign('{"parameters": {"out": {"stringValue": "secret"}}}');
    const run = `ln -s ${made} "$(dirname "$1")/executor_output.json"; printf own > "$1"`;
    const result = await runShell({ task: { run, gives: true } });
    expect(result.error?.message).toContain("executor output is a link out of its folder");
  });

  test("is not written to as the log of the next attempt", async () => {
    const profile = foreign("export PATH\n");
    const run = `test -e log-2.txt || ln -s ${profile} log-2.txt; echo said; exit 1`;
    const result = await runShell({ task: { run, task: once } });
    expect(result.tasks[0]?.attempts).toBe(2);
    expect(readFileSync(profile, "utf8")).toBe("export PATH\n");
    expect(readFileSync(result.tasks[0]?.log ?? "", "utf8")).toBe("said\n");
  });

  test("is not shown to the next container", async () => {
    const { executor, started } = install();
    const secret = foreign("secret");
    const result = await runShell(
      {
        first: { run: `ln -s ${secret} "$2"`, makes: true },
        second: { run: `cat "$4" > "$1"`, gives: true, reads: "first" },
      },
      { executor },
    );
    expect(result.error).toMatchObject({
      task: "second",
      message: expect.stringContaining("out of the run"),
    });
    expect(started().trim().split("\n")).toHaveLength(1);
  });

  test.each([
    ["uri", (path: string) => ({ uri: path })],
    ["uri of its own form", (path: string) => ({ uri: `file://${path}` })],
    ["uri with steps", (path: string) => ({ uri: `$(dirname "$1")/../../../../../../../..${path}` })],
    ["custom path", (path: string) => ({ customPath: path })],
    ["path through a link to a folder", (path: string) => ({ uri: `dirlnk${path}` })],
    ["custom path through a link to a folder", (path: string) => ({ customPath: `$PWD/dirlnk${path}` })],
  ])(
    "is not needed by a container to name a foreign path as its artifact, and no %s is believed",
    async (_, said) => {
      const { executor, started } = install();
      const artifacts = { data: { artifacts: [said(foreign("secret"))] } };
      const output = JSON.stringify({ artifacts }).replaceAll('"', '\\"');
      const result = await runShell(
        {
          first: {
            run: `cd "$(dirname "$1")"; ln -s / dirlnk; printf "%s" "${output}" > "$(dirname "$1")/executor_output.json"; printf 1 > "$1"`,
            gives: true,
            makes: true,
          },
          second: { run: `cat "$4" > "$1"`, gives: true, reads: "first" },
        },
        { executor },
      );
      expect(result.error).toMatchObject({
        task: "first",
        message: expect.stringContaining("which it has not seen"),
      });
      expect(started().trim().split("\n")).toHaveLength(1);
    },
  );

  test.each([
    ["part", undefined],
    ["deep/er", undefined],
    ["link", "which it has not seen"],
    ["dirlnk/foreign", "which it has not seen"],
    ["../own", "which it has not seen"],
    ["..", "which it has not seen"],
  ])("is not needed by a container to pass %s of its input on", async (part, refusal) => {
    const { executor } = install();
    const precious = foreign("secret");
    const folder = dirname(precious);
    const output = `{\\"artifacts\\": {\\"data\\": {\\"artifacts\\": [{\\"uri\\": \\"$4/${part}\\"}]}}}`;
    const made = `mkdir -p "$2/deep"; printf 1 > "$2/part"; printf 1 > "$2/deep/er"; ln -s ${precious} "$2/link"; ln -s ${folder} "$2/dirlnk"; printf 1 > "$2/../own"`;
    const result = await runShell(
      {
        first: { run: made, makes: true },
        second: {
          run: `printf "%s" "${output}" > "$(dirname "$1")/executor_output.json"; printf 1 > "$1"`,
          gives: true,
          makes: true,
          reads: "first",
        },
        third: { run: `cat "$4" > "$1"`, gives: true, reads: "second" },
      },
      { executor },
    );
    const printed = result.tasks.find(({ id }) => id === "third")?.outputs?.parameters.out;
    expect([result.error?.task, printed]).toEqual(
      refusal === undefined ? [undefined, "1"] : ["second", undefined],
    );
    expect(result.error?.message ?? "").toContain(refusal ?? "");
  });

  test("to a folder that is put in the way later is not followed for the next container", async () => {
    const { executor, started } = install();
    const precious = makeFolder();
    mkdirSync(join(precious, "in"));
    writeFileSync(join(precious, "in/data"), "secret");
    const uri = `{\\"artifacts\\": {\\"data\\": {\\"artifacts\\": [{\\"uri\\": \\"in/data\\"}]}}}`;
    const result = await runShell(
      {
        first: {
          run: `cd "$(dirname "$1")"; mkdir in; printf own > in/data; printf "%s" "${uri}" > executor_output.json; printf 1 > "$1"`,
          gives: true,
          makes: true,
        },
        // It has the folder of the other one in the container that it does not need.
        change: {
          run: `cd "$(dirname "$1")/../first"; rm -r in; ln -s ${precious}/in in; printf 1 > "$1"`,
          gives: true,
          after: ["first"],
        },
        second: { run: `cat "$4" > "$1"`, gives: true, reads: "first", after: ["change"], task: once },
      },
      { executor },
    );
    expect(result.error).toMatchObject({
      task: "second",
      message: expect.stringContaining("leads out of the run"),
    });
    expect(result.tasks.find(({ id }) => id === "second")?.attempts).toBe(1);
    expect(started().trim().split("\n")).toHaveLength(2);
  });

  test("other than one inside of it, which is like any other file", async () => {
    const { executor } = install();
    const tasks = {
      first: {
        run: `printf 1 > a; ln -s "$PWD/a" "$1"; mkdir m; ln -s "$PWD/m" "$2"`,
        gives: true,
        makes: true,
      },
      second: { run: `printf "$3" > "$1"; test -d "$4"`, gives: true, takes: "first", reads: "first" },
    };
    for (const options of [{}, { executor }]) {
      // The stand-in has no folder to work in of its own.
      const inFolder = Object.fromEntries(
        Object.entries(tasks).map(([name, task]) => [
          name,
          { ...task, run: `cd "$(dirname "$1")"; ${task.run}` },
        ]),
      );
      const result = await runShell(inFolder, options);
      expect(result.error).toBeUndefined();
      expect(result.tasks[1]?.outputs?.parameters.out).toBe("1");
    }
  });

  test("in the place of the folder is removed, and what it leads to stays", async () => {
    const precious = makeFolder();
    writeFileSync(join(precious, "thesis"), "x");
    const run = `d=$PWD; cd /; rm -rf "$d"; ln -s ${precious} "$d"; exit 1`;
    const result = await runShell({ task: { run, task: once } });
    expect(result.tasks[0]?.attempts).toBe(2);
    expect(readdirSync(precious)).toEqual(["thesis"]);
  });
});

describe("a pipe where a log is", () => {
  test("keeps neither the run nor its report waiting", async () => {
    const pipelineRoot = makeFolder();
    const result = await runShell(
      { task: { run: "echo hi; rm log-1.txt; mkfifo log-1.txt; exit 2" } },
      { pipelineRoot },
    );
    expect(result.state).toBe("FAILED");
    const report = join(pipelineRoot, "report.html");
    await writeRunReport(result, report);
    expect(existsSync(report)).toBe(true);
  });

  test("before the attempt that writes it is replaced", async () => {
    const run = "test -e log-2.txt || mkfifo log-2.txt; echo said; exit 1";
    const result = await runShell({ task: { run, task: once } });
    expect([result.tasks[0]?.attempts, result.warnings.filter((one) => one.includes("log"))]).toEqual([
      2,
      [],
    ]);
    expect(readFileSync(result.tasks[0]?.log ?? "", "utf8")).toBe("said\n");
  });

  test("of a run that is resumed as well", async () => {
    const { folder } = await runShell({ task: { run: "true" } });
    const journal = join(folder, "run.jsonl");
    writeFileSync(journal, `${readFileSync(journal, "utf8").split("\n")[0]}\n`);
    execFileSync("sh", ["-c", "rm log-1.txt; mkfifo log-1.txt"], { cwd: join(folder, "task") });
    const again = await runPipeline(shellPipeline({ task: { run: "true" } }), { resumeFrom: folder });
    expect(again.state).toBe("SUCCEEDED");
  });
});

describe("a function", () => {
  const list = { parameterType: "LIST" };
  const rows = { parameters: { rows: list } };
  const from = (producerTask: string) => ({
    inputs: { parameters: { rows: { taskOutputParameter: { producerTask, outputParameterKey: "rows" } } } },
  });
  const parsed = parsePipeline(
    JSON.stringify({
      pipelineInfo: { name: "shared" },
      schemaVersion: "2.1.0",
      root: {
        inputDefinitions: rows,
        dag: {
          tasks: {
            make: {
              componentRef: { name: "comp-make" },
              inputs: { parameters: { rows: { componentInputParameter: "rows" } } },
            },
            drain: { componentRef: { name: "comp-drain" }, ...from("make") },
            count: { componentRef: { name: "comp-count" }, dependentTasks: ["drain"], ...from("make") },
          },
        },
      },
      components: {
        "comp-make": { executorLabel: "e", inputDefinitions: rows, outputDefinitions: rows },
        "comp-drain": { executorLabel: "e", inputDefinitions: rows },
        "comp-count": {
          executorLabel: "e",
          inputDefinitions: rows,
          outputDefinitions: { parameters: { n: { parameterType: "NUMBER_INTEGER" } } },
        },
      },
      deploymentSpec: { executors: { e: { container: { image: "alpine", command: ["true"] } } } },
    }),
  );
  const pipeline = parsed.ok ? parsed.pipeline : expect.unreachable(JSON.stringify(parsed.problems));
  const drained = (value: unknown) => (value as unknown[]).splice(0);

  test("that changes what it was given changes neither other tasks nor the host's own values", async () => {
    const parameters = { rows: [1, 2, 3] };
    const executor = functionExecutor({
      make: (given) => ({ rows: drained(given.rows) }),
      drain: (given, work) => {
        drained(given.rows);
        drained(work.task.inputs.parameters.rows);
        drained(work.executorInput.inputs?.parameterValues.rows);
      },
      count: (given) => ({ n: (given.rows as unknown[]).length }),
    });
    const result = await runPipeline(pipeline, { pipelineRoot: makeFolder(), parameters, executor });
    expect(result.tasks.map(({ outputs }) => outputs?.parameters)).toEqual([
      { rows: [1, 2, 3] },
      {},
      { n: 3 },
    ]);
    expect(parameters).toEqual({ rows: [1, 2, 3] });
  });

  test("of the host that changes what a run was started with changes nothing of the run", () => {
    const parameters = { rows: [1, 2, 3] };
    const run = startRun(pipeline, { parameters });
    drained(parameters.rows);
    expect(run.inputs.parameters.rows).toEqual([1, 2, 3]);
    expect(run.snapshot().options.runtimeConfig?.parameterValues).toEqual({ rows: [1, 2, 3] });
  });
});

const isRoot = process.getuid?.() === 0;
test.skipIf(isRoot)(
  `what a task has made read-only is gone before its next attempt${isRoot ? ", left out: root may remove anything" : ""}`,
  async () => {
    const run = "mkdir -p d; touch d/f; chmod 555 d; test -e log-2.txt || exit 1; chmod 755 d";
    const result = await runShell({ task: { run, task: once } });
    expect([result.state, result.tasks[0]?.attempts]).toEqual(["SUCCEEDED", 2]);
  },
);

test("a loop whose iterations may not run at all is refused before there is a run", () => {
  const pipeline = shellPipeline({
    loop: {
      run: "true",
      task: {
        parameterIterator: { items: { raw: "[1, 2]" }, itemInput: "in" },
        iteratorPolicy: { parallelismLimit: -1 },
      },
    },
  });
  expect(() => startRun(pipeline)).toThrow("-1 iterations at once are none");
});
