import { jsonProblem } from "@wye/pipeline-spec";

/** What a request holds, in the names of its type; what is undefined is left out. */
export type RequestMessage = Readonly<Record<string, unknown>>;

/**
 * A request as JSON with the names of the wire. Only names of members are changed: `parameters` and other values of users are sent as
 * they are.
 *
 * @throws TypeError for values that have no JSON, such as bigints, Maps and circles
 */
export function printRequest(message: RequestMessage): string {
  const members = Object.entries(message).flatMap(([name, value]) =>
    value === undefined ? [] : [`${JSON.stringify(wireName(name))}:${printValue(name, value)}`],
  );
  return `{${members.join(",")}}`;
}

/** A message inside of a request: its members have names of the wire as well. */
export class Nested {
  readonly message: RequestMessage;
  constructor(message: RequestMessage) {
    this.message = message;
  }
}

function printValue(name: string, value: unknown): string {
  if (value instanceof Nested) return printRequest(value.message);
  if (value instanceof Date) return JSON.stringify(printTime(value));
  // JSON.stringify makes nothing of a Map, and stumbles over a circle deep inside.
  const problem = jsonProblem(value);
  if (problem !== undefined) throw new TypeError(`\`${name}\` has no JSON: ${problem}`);
  return JSON.stringify(value);
}

/** A moment in whole seconds: servers drop fractions. */
export function printTime(date: Date): string {
  if (!(date instanceof Date) || Number.isNaN(date.getTime())) throw new TypeError("a time is a valid Date");
  return date.toISOString().replace(/\.\d+Z$/, "Z");
}

function wireName(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
