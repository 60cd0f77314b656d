import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runPipeline } from "../src/node/index.js";
import { makeFolder } from "./make-folder.js";
import { shellPipeline } from "./shell-pipeline.js";

describe("a journal", () => {
  const twice = { a: { run: `printf 1 > "$1"`, gives: true }, b: { run: "true", takes: "a" } };
  const parts = async () => {
    const { folder } = await runPipeline(shellPipeline(twice), { pipelineRoot: makeFolder() });
    const journal = join(folder, "run.jsonl");
    const lines = readFileSync(journal, "utf8").split("\n");
    const write = (changed: readonly string[]) => writeFileSync(journal, changed.join("\n"));
    return { lines, write, resume: () => runPipeline(shellPipeline(twice), { resumeFrom: folder }) };
  };

  test("that is damaged in the middle is refused, and not followed", async () => {
    const { lines, write, resume } = await parts();
    const [head = "", begin = "", end = "", ...rest] = lines;
    const changes = [
      [head, begin, end.replace('"out":"1"', '"out":"7"'), ...rest],
      [head.replace('"startedIn":"', '"startedIn":"/'), begin, end, ...rest],
      [head, begin, ...rest],
      [head, begin, end, end, ...rest],
    ];
    for (const changed of changes) {
      expect(changed).not.toEqual(lines);
      write(changed);
      await expect(resume()).rejects.toThrow(/run\.jsonl:\d is not as it was written/);
    }
    write(lines);
    expect((await resume()).state).toBe("SUCCEEDED");
  });

  test("without the lines from the damaged one on is one of a run that goes on", async () => {
    const { lines, write, resume } = await parts();
    const [head = "", begin = "", end = ""] = lines;
    write([head, begin, end.replace('"out":"1"', '"out":"7"'), ...lines.slice(3)]);
    await expect(resume()).rejects.toThrow(
      "run.jsonl:3 is not as it was written: the journal is damaged; without",
    );
    write([head, begin, ""]);
    expect((await resume()).state).toBe("SUCCEEDED");
    write([head.replace('"format":1', '"format":2'), ...lines.slice(1)]);
    await expect(resume()).rejects.toThrow("the journal is damaged; start the run anew");
  });

  test.each([
    ["in the middle of a line", 9],
    ["in the middle of a character", 2],
    ["behind all of its lines", 0],
  ])(
    "with letters of several bytes that ends %s is followed up to there, and grows from there",
    async (_, cut) => {
      const told = "Größe ☃ 😀 \u00df";
      const pipeline = shellPipeline({
        a: { run: `printf '${told}' > "$1"`, gives: true },
        b: { run: "true", takes: "a" },
      });
      const { folder } = await runPipeline(pipeline, { pipelineRoot: makeFolder() });
      const journal = join(folder, "run.jsonl");
      const bytes = readFileSync(journal);
      // The line that tells what it gave, behind that of the pipeline.
      const end = bytes.indexOf("\n", bytes.lastIndexOf(told)) + 1;
      expect(end).toBeGreaterThan(bytes.indexOf("\n", bytes.indexOf(told)) + 1);
      // What a process has left that was killed while it wrote.
      const half = Buffer.from("☃☃☃").subarray(0, cut);
      writeFileSync(journal, Buffer.concat([bytes.subarray(0, end), half]));
      for (const isOver of [false, true, true]) {
        const result = await runPipeline(pipeline, { resumeFrom: folder });
        expect([result.state, result.tasks[0]?.outputs?.parameters]).toEqual(["SUCCEEDED", { out: told }]);
        expect(result.warnings.includes("the run had succeeded before: nothing was done")).toBe(isOver);
        const grown = readFileSync(journal);
        expect(grown.subarray(0, end).equals(bytes.subarray(0, end))).toBe(true);
        // No piece of the half line is left.
        expect(`${grown.subarray(end, end + 1)}`).toBe("{");
      }
    },
  );

  test("of an earlier version, without sums, goes on with them", async () => {
    const { lines, write, resume } = await parts();
    const withoutSums = lines.map((line) => line.replace(/,"sum":"[\da-f]{8}"}$/, "}"));
    expect(withoutSums).not.toEqual(lines);
    write([...withoutSums.slice(0, 1), "{]", ""]);
    await expect(resume()).rejects.toThrow("run.jsonl:2 is no JSON");
    write([...withoutSums.slice(0, 3), ""]);
    expect((await resume()).outputs).toBeDefined();
    expect((await resume()).warnings).toEqual(["the run had succeeded before: nothing was done"]);
  });
});
