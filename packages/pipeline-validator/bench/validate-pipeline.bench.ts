import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parsePipeline } from "@wye/pipeline-spec";
import { parseDocument } from "yaml";
import { bench } from "../../../scripts/bench-harness.js";
import { formatProblems } from "../src/formats/format-problems.js";
import { validatePipeline } from "../src/validate-pipeline.js";
import { syntheticPipeline } from "./synthetic-pipeline.js";

const largest = readFileSync(
  join(process.cwd(), "../pipeline-spec/testdata/pipelines/valid/critical/flip_coin.yaml"),
  "utf8",
);
/** The texts are larger than the reader takes by default. */
const parse = { maxTokens: 100_000_000, maxBytes: 2 ** 30 };

async function compare(name: string, text: string, rounds: number): Promise<void> {
  const parsed = parsePipeline(text, parse);
  if (!parsed.ok) throw new Error(`${name} cannot be parsed`);
  if (!validatePipeline(parsed.pipeline).ok) throw new Error(`${name} has errors`);
  const contenders = {
    "YAML alone": () => parseDocument(text, { prettyErrors: false, logLevel: "silent" }).toJS(),
    parsePipeline: () => parsePipeline(text, parse),
    "validatePipeline of the text": () => validatePipeline(text, { parse }),
    "validatePipeline of what is parsed": () => validatePipeline(parsed.pipeline),
  };
  const note = `${(text.length / 1024).toFixed(0)} KiB of YAML`;
  await bench(name, contenders, { baseline: "YAML alone", rounds, note });
}

await compare("largest corpus file", largest, 15);
await compare("500 tasks", syntheticPipeline(500), 7);
await compare("5,000 tasks", syntheticPipeline(5_000), 3);

const broken = syntheticPipeline(5_000).replaceAll("outputParameterKey: text", "outputParameterKey: txet");
const parsed = parsePipeline(broken, parse);
if (!parsed.ok) throw new Error("the broken pipeline cannot be parsed");
const report = validatePipeline(parsed.pipeline);
const contenders = {
  "the first 1,000": () => validatePipeline(parsed.pipeline),
  "all of them": () => validatePipeline(parsed.pipeline, { maxProblems: 10_000 }),
  "code frames of 1,000": () => formatProblems(report, { source: broken }),
};
await bench("5,000 tasks with 4,500 mistakes", contenders, { baseline: "the first 1,000", rounds: 3 });
