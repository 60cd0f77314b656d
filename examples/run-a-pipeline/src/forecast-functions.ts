import { writeFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import type { ComponentFunction } from "@wye/pipeline-runner/node";

/** The components of `forecast.yaml` as functions of this process. A step of theirs takes so many milliseconds. */
export function forecastFunctions(stepMs: number): { readonly [component: string]: ComponentFunction } {
  const pause = (signal: AbortSignal) => setTimeout(stepMs, undefined, { signal });
  const step: ComponentFunction = async (_, __, { signal }) => {
    await pause(signal);
  };
  return {
    fetch: async (_, __, { signal }) => {
      await pause(signal);
      return { rows: 1200 };
    },
    fit: async ({ region, without_data, rows }, { executorInput }, { signal, log }) => {
      for (let epoch = 1; epoch <= 3; epoch++) {
        log(`${region}: epoch ${epoch} of 3, ${rows} rows\n`);
        await pause(signal);
      }
      if (region === without_data) throw new Error(`there are no rows for ${region}`);
      const model = executorInput.outputs?.artifacts?.model?.artifacts?.[0]?.uri;
      if (model === undefined) throw new Error("there is no place for the model");
      await writeFile(model, `model of ${region}\n`);
    },
    score: async (_, __, { signal }) => {
      await pause(signal);
      return { score: 0.9 };
    },
    compare: step,
    publish: step,
    "clean-up": step,
  };
}
