import { type Duration, durationFromNanos, longestDuration, nanosOfDuration } from "./duration.js";
import { listReader, mapReader } from "./json-collection.js";
import { brokenText, type JsonReader, wrongType } from "./json-scalar.js";
import { describeValue, isObject } from "./json-value.js";
import type { WellKnownCode } from "./message-table.js";
import type { Reading } from "./reading.js";

const longestNanos = BigInt(longestDuration) * 1_000_000_000n;

/** A copy of any JSON value. */
function readValue(json: unknown, reading: Reading): unknown {
  switch (typeof json) {
    case "string":
      return json.isWellFormed() ? json : brokenText(reading);
    case "boolean":
      return json;
    case "number":
      if (Number.isFinite(json)) return json;
      return reading.error("out-of-range", `${json} is not a number that JSON has`);
    case "object":
      if (json === null) return null;
      return Array.isArray(json) ? readList(json, reading) : readStruct(json, reading);
    default:
      return wrongType(reading, "a JSON value", json);
  }
}

const readList = listReader(readValue, true);
const readStruct = mapReader("s", readValue, true);

function readDuration(json: unknown, reading: Reading): Duration | undefined {
  const nanos = typeof json === "string" ? nanosOfDuration(json) : undefined;
  if (nanos === undefined) {
    const hint = typeof json === "number" ? `write "${json}s"` : undefined;
    return reading.error(
      "invalid-duration",
      `expected a duration such as "3.5s", got ${describeValue(json)}`,
      hint,
    );
  }
  if (nanos > longestNanos || nanos < -longestNanos) {
    return reading.error("out-of-range", `a duration cannot be longer than ${longestDuration} seconds`);
  }
  return durationFromNanos(nanos);
}

/** Reading the content of an Any takes the definition of its type, which this package does not have. */
function readAny(json: unknown, reading: Reading): { typeUrl: string; value: Uint8Array } | undefined {
  if (!isObject(json)) return wrongType(reading, "an object", json);
  if (Object.keys(json).length === 0) return { typeUrl: "", value: new Uint8Array(0) };
  return reading.error("unsupported-any", "a google.protobuf.Any can only be read when it is empty");
}

/** The reader of each well-known type. */
export const wellKnownReaders: { readonly [C in WellKnownCode]: JsonReader } = {
  V: readValue,
  S: readStruct,
  L: readList,
  D: readDuration,
  A: readAny,
  N: (json, reading) => {
    if (json === null || json === "NULL_VALUE" || json === 0) return 0;
    return wrongType(reading, "null", json);
  },
};
