import { Composer, Lexer, Parser } from "yaml";
import { bench, figures } from "../../../scripts/bench-harness.js";
import { DocumentProblems } from "../src/document-problems.js";
import { type Pipeline, parsePipeline, printPipeline } from "../src/index.js";
import { parseDocuments } from "../src/source-text.js";
import { corpus } from "../test/corpus.js";
import { generated } from "./samples.js";

const limits = { maxDepth: 100, maxTokens: 100_000_000, maxSlowBytes: 2 ** 30, maxAliasedValues: 1_000_000 };

/** What the YAML library does for a reader of files: nodes with places, without values. */
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

function pipelineOfTasks(tasks: number): string {
  const result = parsePipeline(JSON.stringify(generated(tasks)));
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return printPipeline(result.pipeline);
}

const files = corpus("valid").flatMap(({ name, text }) => (name.endsWith(".yaml") ? [text] : []));
const samples: Readonly<Record<string, readonly string[]>> = {
  [`${files.length} files of the corpus`]: files,
  "5,000 tasks": [pipelineOfTasks(5000)],
};

for (const [name, texts] of Object.entries(samples)) {
  const size = texts.reduce((sum, text) => sum + text.length, 0);
  const all = (read: (text: string) => unknown) => () => texts.map(read);
  const contenders = {
    "values and places": all((text) => parseDocuments(text, limits, new DocumentProblems(text, 100))),
    parsePipeline: all((text) => parsePipeline(text, limits)),
    "yaml, to nodes": all(yamlNodes),
  };
  const note = `${(size / 1024).toFixed(0)} KiB`;
  await bench(`read YAML: ${name}`, contenders, {
    baseline: "yaml, to nodes",
    rounds: 5,
    turnMs: 1000,
    note,
  });
  figures(
    `read YAML: ${name}`,
    Object.fromEntries(
      Object.entries(contenders).map(([contender, run]) => [contender, megabytesPerSecond(size, run)]),
    ),
    { unit: "MB/s", note },
  );
}

/** The best of several runs, by the time on the processor. */
function megabytesPerSecond(bytes: number, run: () => unknown): number {
  const times = Array.from({ length: 10 }, () => {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    return user + system;
  });
  return bytes / Math.min(...times);
}

/** MiB that are held after the work and a collection of garbage, inside and outside of the heap. */
function held(work: () => unknown): number {
  const memory = () => {
    globalThis.gc?.();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const before = memory();
  const kept = [work()];
  const after = memory();
  // Whatever it is, it has to live until here.
  return kept.length === 1 ? (after - before) / 2 ** 20 : 0;
}

function pipelineIn(text: string): Pipeline {
  const result = parsePipeline(text, { maxTokens: 100_000_000, maxBytes: 2 ** 30 });
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.pipeline;
}

const [fewer, more] = [pipelineOfTasks(5000), pipelineOfTasks(50_000)];
figures(
  "memory that a parsed pipeline holds",
  {
    "5,000 tasks": held(() => pipelineIn(fewer)),
    "5,000 tasks, yaml, to nodes": held(() => yamlNodes(fewer)),
    "50,000 tasks": held(() => pipelineIn(more)),
  },
  {
    unit: "MiB",
    note: `${(more.length / 2 ** 20).toFixed(0)} MiB of text for 50,000 tasks, which is not counted`,
  },
);
