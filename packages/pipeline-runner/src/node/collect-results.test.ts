import { symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parsePipeline } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { makeFolder } from "../../test/make-folder.js";
import { startRun } from "../index.js";
import { collectResults, type Surroundings } from "./collect-results.js";
import { RunFolder } from "./run-folder.js";

const artifactType = { schemaTitle: "system.Dataset", schemaVersion: "0.0.1" };

/** A task that has ended, with files for its outputs, which are texts and an artifact `a`. */
async function ended(...parameters: readonly string[]) {
  const texts = parameters.map((name) => [name, { parameterType: "STRING" }]);
  const outputDefinitions = {
    parameters: Object.fromEntries(texts),
    artifacts: { a: { artifactType } },
  };
  const parsed = parsePipeline(
    JSON.stringify({
      pipelineInfo: { name: "p" },
      root: { dag: { tasks: { t: { componentRef: { name: "c" } } } } },
      components: { c: { executorLabel: "e", outputDefinitions } },
      deploymentSpec: { executors: { e: { container: { image: "alpine" } } } },
    }),
  );
  if (!parsed.ok) return expect.unreachable(JSON.stringify(parsed.problems));
  const run = startRun(parsed.pipeline);
  const [task] = run.ready();
  if (task?.kind !== "container") return expect.unreachable("it is a container");
  const runFolder = new RunFolder(makeFolder(), run);
  const folder = runFolder.of(task);
  const executorInput = await runFolder.prepare(task, folder);
  const { outputs } = executorInput;
  return {
    folder,
    file: (name: string) => outputs?.parameters[name]?.outputFile ?? "",
    say: (output: object) => writeFileSync(outputs?.outputFile ?? "", JSON.stringify(output)),
    collect: (given?: unknown, seen?: Surroundings["seen"]) =>
      // Programs without types give anything.
      collectResults(task, executorInput, { folder, given: given as Surroundings["given"], seen }),
  };
}

describe("an output parameter is", () => {
  test("what is in its file, to the last character", async () => {
    const { file, collect } = await ended("p");
    writeFileSync(file("p"), "\ufeff größer\n");
    expect(collect()).toMatchObject({ ok: true, outputs: { parameters: { p: "\ufeff größer\n" } } });
  });

  test("what the executor gives, rather than what is in files", async () => {
    const { file, say, collect } = await ended("p", "q");
    for (const name of ["p", "q"]) writeFileSync(file(name), "of its file");
    expect(collect({ parameters: { p: "given" } })).toMatchObject({
      outputs: { parameters: { p: "given", q: "of its file" } },
    });
    say({ parameterValues: { p: "said", q: "said" } });
    expect(collect({ parameters: { p: "given" } })).toMatchObject({
      outputs: { parameters: { p: "given", q: "said" } },
    });
  });

  test("missed by name", async () => {
    const { file, collect } = await ended("p", "q", "r");
    const message = "it has not written its output";
    expect(collect()).toEqual({ ok: false, message: `${message} parameters p, q, r` });
    writeFileSync(file("q"), "");
    expect(collect()).toEqual({ ok: false, message: `${message} parameters p, r` });
    expect(collect({ parameters: { r: "" } })).toEqual({ ok: false, message: `${message} parameter p` });
    expect(collect({ parameters: { p: "", r: "" } })).toMatchObject({ ok: true });
  });

  test("not missed where the run will refuse another name", async () => {
    const { collect } = await ended("p");
    const parameters = { o: "" };
    expect(collect({ parameters })).toMatchObject({ ok: true, outputs: { parameters } });
  });

  test("of 64 megabytes at most", async () => {
    const { file, collect } = await ended("p");
    writeFileSync(file("p"), "");
    truncateSync(file("p"), 2 ** 26);
    const whole = collect();
    expect(whole.ok && String(whole.outputs.parameters.p).length).toBe(2 ** 26);
    truncateSync(file("p"), 2 ** 26 + 1);
    expect(() => collect()).toThrow(
      "what it has left for its output parameter p has 67108865 bytes, more than 67108864: make it an artifact",
    );
  });
});

describe("an output artifact is", () => {
  const list = (uri: string) => ({ artifacts: [{ name: "a", uri }] });
  const uriOf = (found: ReturnType<typeof collectResults>) =>
    found.ok ? found.outputs.artifacts.a?.artifacts[0]?.uri : found.message;

  test("in its folder, unless the task or the executor says something else", async () => {
    const { say, collect, folder } = await ended();
    expect(uriOf(collect())).toBe(`${folder}/a`);
    say({ artifacts: { a: list("gs://said") } });
    expect(uriOf(collect())).toBe("gs://said");
    expect(uriOf(collect({ artifacts: { a: list("gs://given") } }))).toBe("gs://given");
    expect(uriOf(collect({ artifacts: { a: list("part/b") } }))).toBe(`${folder}/part/b`);
  });

  test("not believed to be what a confined task has not seen, while an executor is", async () => {
    const { say, collect, folder } = await ended();
    const stray = "it names /etc/passwd as an artifact, which it has not seen";
    expect(uriOf(collect({ artifacts: { a: list("/etc/passwd") } }, [folder]))).toBe("/etc/passwd");
    say({ artifacts: { a: list("/etc/passwd") } });
    expect(uriOf(collect(undefined, undefined))).toBe("/etc/passwd");
    expect(uriOf(collect(undefined, [folder]))).toBe(stray);
    expect(uriOf(collect(undefined, ["/etc"]))).toBe("/etc/passwd");
  });

  test.each<[string, string | undefined]>([
    ["own", undefined],
    ["own/deep/er", undefined],
    ["gs://elsewhere", undefined],
    // What is in its own place is looked at where it is read.
    ["link", undefined],
    ["link/passwd", "link/passwd"],
    ["../beside", "../beside"],
    [".", "."],
    ["../t-other/x", "../t-other/x"],
  ])("of a confined task in its folder, links on the way included: %s", async (uri, stray) => {
    const { say, collect, folder } = await ended();
    symlinkSync("/etc", join(folder, "link"));
    say({ artifacts: { a: list(uri) } });
    expect(collect(undefined, [folder])).toMatchObject(
      stray === undefined
        ? { ok: true }
        : { message: `it names ${join(folder, stray)} as an artifact, which it has not seen` },
    );
  });
});

test.each([{ parameters: 3 }, { artifacts: [] }, { parameters: null }])(
  "outputs that are none are refused: %j",
  async (given) => {
    const { collect } = await ended();
    expect(collect(given)).toEqual({
      ok: false,
      message: "the executor gives outputs that are no object of parameters or artifacts",
    });
  },
);
