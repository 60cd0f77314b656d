import { bench } from "../../../scripts/bench-harness.js";
import { compileFlags, createContext, parseContext } from "../src/index.js";
import { Random } from "../test/random.js";
import { realisticContext, realisticData } from "../test/realistic-data.js";
import { startSdkOracle } from "../test/sdk-oracle.js";

// Turns are long, so that the SDK is judged by its compiled code and not by what the collection of garbage before each
// turn makes it compile again.

/** Has the engine put the parts of a text together, as sending it would. */
const joined = (text: string): string => text.slice(text.charCodeAt(0) - 0x7b);

/** So many that no cache can hold what was found out about each. */
const CONTEXTS = 500;

for (const size of [50, 200, 1000]) {
  const random = new Random(size);
  const data = realisticData(random, size);
  const fields = Array.from({ length: CONTEXTS }, () => realisticContext(random));
  const texts = fields.map((one) => JSON.stringify(one));
  const contexts = fields.map(createContext);
  const evaluator = compileFlags(data);
  const sdk = await startSdkOracle(data);
  let turn = 0;
  const next = <T>(items: readonly T[]): T => items[turn++ % CONTEXTS] as T;

  await bench(
    `all flags of ${size} for a browser`,
    {
      "wye, text": () => joined(evaluator.evaluateAll(next(contexts), { audience: "browser" })),
      "wye, bytes": () =>
        evaluator.evaluateAllBytes(next(contexts), { audience: "browser", allocate: Buffer.allocUnsafe }),
      "wye, text with reasons": () =>
        joined(evaluator.evaluateAll(next(contexts), { audience: "browser", withReasons: true })),
      "wye, context parsed first": () => {
        const result = parseContext(next(texts));
        return result.ok && joined(evaluator.evaluateAll(result.context, { audience: "browser" }));
      },
      "SDK, allFlagsState and JSON.stringify": async () =>
        JSON.stringify(await sdk.allFlagsState(next(fields), { clientSideOnly: true })),
    },
    {
      rounds: 7,
      turnMs: 500,
      note: `${evaluator.evaluateAll(contexts[0] as never, { audience: "browser" }).length} bytes; ${CONTEXTS} contexts in turn`,
    },
  );
  sdk.close();
}
