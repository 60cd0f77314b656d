import type { Fields } from "../fields.js";

const isInteger = Number.isSafeInteger;
// JSON has numbers that are infinite here, and could not be written again.
const isNumber = (value: unknown): boolean => Number.isFinite(value);
const isTruth = (value: unknown): boolean => typeof value === "boolean";

const types: Readonly<Record<string, (value: unknown) => boolean>> = {
  creationDate: isNumber,
  version: isInteger,
  variation: isInteger,
  trackEvents: isTruth,
  debugEventsUntilDate: isNumber,
  samplingRatio: isNumber,
  excludeFromSummaries: isTruth,
  metricValue: isNumber,
};

/**
 * Whether the members that are written on or counted have their types, as far as they are there. The counts of all clients
 * become one event: a member of another type would make that of everybody unreadable.
 */
export function isTypedEvent(event: Fields): boolean {
  return Object.entries(types).every(
    ([name, isRight]) => (event[name] ?? null) === null || isRight(event[name]),
  );
}
