import { checkArguments } from "./check-arguments.js";
import type { Value } from "./gen/ml_pipelines/pipeline_spec.js";
import type { PartialMessage } from "./message-codec.js";

/** The number or text of an old typed value; null when it has none. */
export function plainValue(typed: PartialMessage<Value>): string | number | null {
  checkArguments("plainValue", "object", { typed });
  const { value } = typed;
  if (value?.value === undefined) return null;
  return value.$case === "intValue" ? Number(value.value) : value.value;
}
