import { describeValue } from "@wye/pipeline-spec";

/** Refuses what is no Map of outputs by task, such as the object that callers without types hand over. */
export function checkOutputs(caller: string, outputs: unknown): void {
  const isMap = typeof outputs === "object" && outputs !== null && "get" in outputs && "has" in outputs;
  if (!isMap) {
    throw new TypeError(
      `${caller} takes a Map from task to outputs as its outputs, not ${describeValue(outputs)}`,
    );
  }
}
