import { bench, figures } from "../../../scripts/bench-harness.js";
import { compileFlags, createContext, type Evaluator } from "../src/index.js";
import { Random } from "../test/random.js";
import { realisticContext, realisticData } from "../test/realistic-data.js";

const COUNT = 1000;
const text = JSON.stringify(realisticData(new Random(1000), COUNT));
const context = createContext(realisticContext(new Random(1)));

const coldBefore = process.cpuUsage();
const cold = compileFlags(JSON.parse(text));
const coldCpu = process.cpuUsage(coldBefore);
figures(
  "compile 1,000 flags, first thing in a process",
  { "wye, CPU for each flag": (coldCpu.user + coldCpu.system) / COUNT },
  { unit: "µs", note: `JSON.parse of ${(text.length / 1e6).toFixed(1)} MB included` },
);

const data = JSON.parse(text);
const first = cold.items("flags")[0];
const raised = { ...JSON.parse(first?.json ?? "{}"), version: 1e9 };
await bench(
  "take a put of 1,000 flags",
  {
    compileFlags: () => compileFlags(data),
    "replace by the same": () => cold.replace(data),
    "JSON.parse alone": () => JSON.parse(text),
  },
  { turnMs: 200, rounds: 7 },
);
await bench("take a patch of one flag of 1,000", {
  upsert: () => cold.upsert("flags", first?.key ?? "", raised),
  "upsert and evaluate all": () => cold.upsert("flags", first?.key ?? "", raised).evaluateAll(context),
  "evaluate all alone": () => cold.evaluateAll(context),
});

/** What stays allocated, in bytes. */
function retained(make: () => unknown): number {
  const used = () => {
    for (let i = 0; i < 3; i++) globalThis.gc?.();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const before = used();
  const made = make();
  const after = used();
  Object.assign(keep, { made });
  return after - before;
}
const keep = {};

const contexts = Array.from({ length: 500 }, (_, seed) => createContext(realisticContext(new Random(seed))));
function compiledAndUsed(): Evaluator {
  const evaluator = compileFlags(JSON.parse(text));
  for (const one of contexts) evaluator.evaluateAll(one, { audience: "browser" });
  return evaluator;
}
const megabytes = (bytes: number) => bytes / 1e6;
figures(
  "memory for 1,000 flags and 200 segments",
  {
    "wye, evaluator": megabytes(retained(() => compileFlags(JSON.parse(text)))),
    "wye, evaluator after 500 contexts": megabytes(retained(compiledAndUsed)),
    "the parsed JSON alone": megabytes(retained(() => JSON.parse(text))),
    "the JSON text": megabytes(text.length),
  },
  { unit: "MB", note: "the evaluator includes the text of every item" },
);
