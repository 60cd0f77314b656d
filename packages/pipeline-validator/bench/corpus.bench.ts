import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parsePipeline } from "@wye/pipeline-spec";
import { parseAllDocuments } from "yaml";
import { bench, figures } from "../../../scripts/bench-harness.js";
import { validatePipeline } from "../src/validate-pipeline.js";

const folder = join(process.cwd(), "../pipeline-spec/testdata/pipelines/valid");
const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".yaml"))
  .map((name) => readFileSync(join(folder, name), "utf8"));
const size = files.reduce((sum, text) => sum + text.length, 0);

const all = (read: (text: string) => unknown) => () => files.map(read);
await bench(
  `${files.length} files of the corpus`,
  {
    "YAML alone": all((text) => parseAllDocuments(text, { prettyErrors: false, logLevel: "silent" })),
    parsePipeline: all((text) => parsePipeline(text)),
    "validatePipeline of the text": all((text) => validatePipeline(text)),
  },
  { baseline: "YAML alone", rounds: 5, turnMs: 1000, note: `${(size / 1024).toFixed(0)} KiB of YAML` },
);

/** Milliseconds on the processor for each file, in a process that has not done it before. */
function firstPass(module: string, call: string): number {
  const program = `
    import { readFileSync } from "node:fs";
    import * as tool from ${JSON.stringify(module)};
    const files = JSON.parse(readFileSync(0, "utf8"));
    const before = process.cpuUsage();
    for (const file of files) tool.${call};
    const { user, system } = process.cpuUsage(before);
    console.log((user + system) / 1000 / files.length);`;
  const times = Array.from({ length: 5 }, () =>
    Number(
      execFileSync(process.execPath, ["--input-type=module", "--eval", program], {
        input: JSON.stringify(files),
        encoding: "utf8",
      }),
    ),
  );
  return Math.min(...times);
}

figures(
  `a first pass over ${files.length} files`,
  {
    "YAML alone": firstPass("yaml", 'parseAllDocuments(file, { logLevel: "silent" })'),
    parsePipeline: firstPass("@wye/pipeline-spec", "parsePipeline(file)"),
    "validatePipeline of the text": firstPass("@wye/pipeline-validator", "validatePipeline(file)"),
  },
  { unit: "ms a file", baseline: "YAML alone" },
);
