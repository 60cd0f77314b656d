import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Pipeline, parsePipeline } from "@wye/pipeline-spec";
import { afterAll, describe, expect, test } from "vitest";
import { functionExecutor, runPipeline } from "../src/node/index.js";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "wye-run-"));
  folders.push(made);
  return made;
}

function corpus(file: string): Pipeline {
  const url = new URL(`../../pipeline-spec/testdata/pipelines/valid/${file}`, import.meta.url);
  const parsed = parsePipeline(readFileSync(url, "utf8"));
  return parsed.ok ? parsed.pipeline : expect.unreachable(file);
}

const add = ({ a, b }: { readonly [name: string]: unknown }) => ({ Output: Number(a) + Number(b) });

describe("runPipeline", () => {
  test("runs functions, and gives the outputs of the pipeline", async () => {
    const pipeline = corpus("critical/add_numbers.yaml");
    const result = await runPipeline(pipeline, {
      parameters: { a: 5, b: 5 },
      pipelineRoot: folder(),
      executor: functionExecutor({ "add-numbers": add }),
    });
    expect(result.error).toBeUndefined();
    expect(result).toMatchObject({
      state: "SUCCEEDED",
      outputs: { parameters: { Output: 10 } },
      warnings: [],
    });
  });
});
