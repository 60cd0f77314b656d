import {
  boolFromText,
  doubleFromText,
  int64,
  intFromDouble,
  intFromText,
  textFromDouble,
  uintFrom,
  uintFromText,
} from "./cel-conversions.js";
import { type CelFunction, type CelValues, ownPrefix } from "./cel-function.js";
import {
  durationFromText,
  momentFromSeconds,
  momentFromText,
  nanosIn,
  secondsAt,
  textFromDuration,
  textFromMoment,
} from "./cel-time.js";
import { timestampFunctionNames, timestampFunctions } from "./cel-timestamps.js";

/** The functions whose calls become calls of ours, because the engine computes something else than the back end. */
export const replacedFunctions: ReadonlySet<string> = new Set([
  ...["bool", "double", "duration", "int", "matches", "string", "timestamp", "uint"],
  ...timestampFunctionNames,
]);

interface Unsigned {
  valueOf(): bigint;
}

const timestamp = "google.protobuf.Timestamp";
const duration = "google.protobuf.Duration";
const same = <T>(value: T): T => value;
const number = (value: bigint | Unsigned): number => Number(value.valueOf());

/** What of the standard library is ours: conversions, strict as on the back end, and the parts of points in time. */
export function ownFunctions({ uint, failure }: CelValues): readonly CelFunction[] {
  /** A conversion that fails for what it does not know. */
  const partial =
    <T>(name: string, convert: (value: T) => unknown) =>
    (value: T): unknown => {
      const result = convert(value);
      if (result !== undefined) return result;
      const shown = typeof value === "string" ? JSON.stringify(value) : String(value);
      throw failure("evaluation", `type conversion error: ${name}(${shown})`);
    };
  const unsigned = (value: bigint | undefined): unknown => (value === undefined ? undefined : uint(value));
  const functions: readonly CelFunction[] = [
    ["bool(bool): bool", same],
    ["bool(string): bool", partial("bool", boolFromText)],
    ["double(double): double", same],
    ["double(int): double", number],
    ["double(uint): double", number],
    ["double(string): double", partial("double", doubleFromText)],
    ["int(int): int", same],
    ["int(double): int", partial("int", intFromDouble)],
    ["int(string): int", partial("int", intFromText)],
    ["int(uint): int", partial("int", (value: Unsigned) => int64(value.valueOf()))],
    [`int(${timestamp}): int`, secondsAt],
    [`int(${duration}): int`, nanosIn],
    ["string(string): string", same],
    ["string(bool): string", String],
    ["string(int): string", String],
    ["string(uint): string", String],
    ["string(double): string", textFromDouble],
    ["string(bytes): string", partial("string", textFromBytes)],
    [`string(${timestamp}): string`, textFromMoment],
    [`string(${duration}): string`, textFromDuration],
    [`timestamp(${timestamp}): ${timestamp}`, same],
    [`timestamp(int): ${timestamp}`, partial("timestamp", momentFromSeconds)],
    [`timestamp(string): ${timestamp}`, partial("timestamp", momentFromText)],
    [`duration(${duration}): ${duration}`, same],
    [`duration(string): ${duration}`, partial("duration", durationFromText)],
    ["uint(uint): uint", same],
    ["uint(int): uint", partial("uint", (value: bigint) => unsigned(uintFrom(value)))],
    ["uint(double): uint", partial("uint", (value: number) => unsigned(uintFrom(value)))],
    ["uint(string): uint", partial("uint", (value: string) => unsigned(uintFromText(value)))],
  ];
  return [
    ...functions.map(([signature, compute]): CelFunction => [ownPrefix + signature, compute]),
    ...timestampFunctions({ failure }),
  ];
}

/** Bytes that are no UTF-8 have no text. */
function textFromBytes(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
