import { bench, figures } from "../../../scripts/bench-harness.js";
import { compileFlags, createContext } from "../src/index.js";
import { Random } from "../test/random.js";
import { realisticContext, realisticData } from "../test/realistic-data.js";
import { startSdkOracle } from "../test/sdk-oracle.js";

const random = new Random(7);
const data = realisticData(random, 200);
const keys = Object.keys(data.flags);
const fields = Array.from({ length: 500 }, () => realisticContext(random));
const contexts = fields.map(createContext);
const evaluator = compileFlags(data);
const sdk = await startSdkOracle(data);
let turn = 0;

await bench("one of 200 flags with detail", {
  "wye, evaluate": () => {
    turn++;
    return evaluator.evaluate(keys[turn % 200] as string, contexts[turn % 500] as never, { fallback: null });
  },
  "SDK, variationDetail": async () => {
    turn++;
    return await sdk.variationDetail(keys[turn % 200] as string, fields[turn % 500] as never);
  },
});
sdk.close();

const count = 200_000;
const before = process.cpuUsage().user;
for (let i = 0; i < count; i++) evaluator.evaluate(keys[i % 200] as string, contexts[i % 500] as never);
figures(
  "single-flag evaluations for each second of CPU",
  { "wye, evaluate": (count / (process.cpuUsage().user - before)) * 1e6 },
  { unit: "1/s" },
);
