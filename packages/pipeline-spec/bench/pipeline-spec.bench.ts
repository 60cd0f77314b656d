import { fromBinary, fromJson, toBinary, toJson } from "@bufbuild/protobuf";
import { Composer, Lexer, Parser, parseAllDocuments, stringify } from "yaml";
import { bench } from "../../../scripts/bench-harness.js";
import { PipelineSpec, parsePipeline, printPipeline, readBinary, readJson, writeJson } from "../src/index.js";
import { bufbuildSpec, generated, largest, protobufjsSpec } from "./samples.js";

const desc = bufbuildSpec();
const protobufjs = protobufjsSpec();

function pipelineIn(text: string) {
  const result = parsePipeline(text);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.pipeline;
}

/** What the YAML library does for us: the nodes, without values. */
function yamlNodes(text: string): unknown[] {
  const parser = new Parser();
  const composer = new Composer({ schema: "failsafe", uniqueKeys: false, prettyErrors: false });
  const documents: unknown[] = [];
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) documents.push(...composer.next(token));
  }
  for (const token of parser.end()) documents.push(...composer.next(token));
  return [...documents, ...composer.end()];
}

const samples = {
  "largest corpus file": () => largest,
  "5,000 tasks": () => JSON.stringify(generated(5000)),
};

for (const [name, sample] of Object.entries(samples)) {
  const pipeline = pipelineIn(sample());
  const yaml = printPipeline(pipeline);
  const { spec } = pipeline;
  const text = JSON.stringify(writeJson("PipelineSpec", spec));
  const json = JSON.parse(text);
  const message = fromJson(desc, json);
  const bytes = PipelineSpec.encode(spec).finish();
  const plain = protobufjs.decode(bytes);
  // Each turn starts with a collection of garbage, after which compiled code has to be made anew: small work needs longer
  // turns for that not to count.
  const turns = text.length < 100_000 ? { turnMs: 400, rounds: 7 } : { rounds: 7 };
  const size = `${name}, ${Math.round(text.length / 1024)} KB of JSON`;

  await bench(
    `read from JSON: ${size}`,
    {
      readJson: () => readJson("PipelineSpec", json),
      "@bufbuild/protobuf fromJson": () => fromJson(desc, json),
      "JSON.parse": () => JSON.parse(text),
    },
    {
      ...turns,
      baseline: "@bufbuild/protobuf fromJson",
      note: "the first two start from what the third makes",
    },
  );
  await bench(
    `write to JSON: ${size}`,
    {
      writeJson: () => writeJson("PipelineSpec", spec),
      "@bufbuild/protobuf toJson": () => toJson(desc, message),
    },
    { ...turns, note: "ours also sorts the keys" },
  );
  await bench(
    `parse a JSON file: ${size}`,
    {
      parsePipeline: () => parsePipeline(text),
      "JSON.parse + fromJson": () => fromJson(desc, JSON.parse(text)),
      "JSON.parse": () => JSON.parse(text),
    },
    {
      ...turns,
      baseline: "JSON.parse + fromJson",
      note: "ours also reads the executors and looks for keys that are there twice",
    },
  );
  await bench(
    `parse a YAML file: ${name}, ${Math.round(yaml.length / 1024)} KB`,
    {
      parsePipeline: () => parsePipeline(yaml),
      "yaml, to nodes": () => yamlNodes(yaml),
      "yaml, to values": () =>
        parseAllDocuments(yaml, { logLevel: "silent" }).map((document) => document.toJS()),
    },
    { ...turns, baseline: "yaml, to nodes" },
  );
  await bench(
    `print as YAML: ${size}`,
    {
      printPipeline: () => printPipeline(pipeline),
      "yaml stringify": () => stringify(json),
      "JSON.stringify": () => JSON.stringify(json),
    },
    { ...turns, baseline: "yaml stringify" },
  );
  await bench(
    `encode: ${size}`,
    {
      "PipelineSpec.encode": () => PipelineSpec.encode(spec).finish(),
      "@bufbuild/protobuf": () => toBinary(desc, message),
      protobufjs: () => protobufjs.encode(plain).finish(),
    },
    turns,
  );
  await bench(
    `decode: ${size}`,
    {
      "PipelineSpec.decode": () => PipelineSpec.decode(bytes),
      readBinary: () => readBinary("PipelineSpec", bytes),
      "@bufbuild/protobuf": () => fromBinary(desc, bytes),
      protobufjs: () => protobufjs.decode(bytes),
    },
    turns,
  );
}
