import { gzipSync } from "node:zlib";
import type { Random } from "./random.js";

/** A body as it goes over the wire. */
export interface HostileBody {
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;
  /** How many events there are in it. */
  readonly events: number;
}

const names = [
  "__proto__",
  "constructor",
  "toString",
  "",
  "key",
  "kind",
  "a/b",
  "\u0000",
  "\ud800",
  "é",
  "a".repeat(300),
] as const;
const numbers = ["0", "-0", "1e999", "-1e999", "9007199254740993", "1e-400", "0.1", "1E+2"] as const;

const quotedNames = names.map((name) => JSON.stringify(name)) as [string, ...string[]];

/** So many parts as one text. Put together by adding, they are copied once, when the text is sent. */
function joined(count: number, separator: string, part: (index: number) => string): string {
  let text = "";
  for (let index = 0; index < count; index++) text += (index === 0 ? "" : separator) + part(index);
  return text;
}

/** Text of a JSON value that nobody would send who meant well. Sizes are for one of many. */
function hostileValue(random: Random, budget = 3): string {
  const kind = random.below(10);
  if (kind === 0 || budget === 0) return random.one(numbers);
  if (kind === 1) return random.one(quotedNames);
  if (kind === 2) return random.one(["null", "true", '"\\ud83d"', '"\\u0000\\n\\r\\u2028"', '"\\/"', '""']);
  if (kind === 3) return random.one(nests);
  const value = () => hostileValue(random, budget - 1);
  if (kind < 7) return `[${joined(random.below(6), random.one([",", " , ", "\n,\t"]), value)}]`;
  return `{${joined(random.below(6), ",", () => `${random.one(quotedNames)}:${value()}`)}}`;
}

export function nested(levels: number, objects: boolean): string {
  return objects
    ? `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`
    : "[".repeat(levels) + "]".repeat(levels);
}

/** Made once: putting the longest together takes longer than sending it. */
const nests = [5, 100, 250, 300, 2000].flatMap((levels) => [nested(levels, false), nested(levels, true)]) as [
  string,
  ...string[],
];

/** A context, or something in its place. */
export function hostileContext(random: Random): string {
  const value = () => hostileValue(random, 1);
  return random.one([
    () => `{"kind":"user","key":"u${random.below(50)}","name":${value()}}`,
    () => `{"key":"u","custom":{"a":${value()}}}`,
    () => `{"kind":"multi","user":{"key":"u"},"org":{"key":${value()}}}`,
    () => `{"kind":${value()},"key":${value()}}`,
    () => `{"kind":"multi",${joined(random.below(40), ",", (n) => `"k${n}":{"key":"x"}`)}}`,
    value,
  ])();
}

function hostileEvent(random: Random): string {
  const value = () => hostileValue(random, 2);
  const members = [
    `"kind":${random.one(['"feature"', '"feature"', '"identify"', '"custom"', '"alias"', '"summary"', '""', value()])}`,
    `"key":${random.one(['"a"', '"large"', `"new${random.below(1e6)}"`, value()])}`,
    `"${random.one(["context", "user"])}":${hostileContext(random)}`,
    `"creationDate":${random.one(["1", "1700000000000", value()])}`,
  ];
  for (const name of [
    "value",
    "default",
    "reason",
    "variation",
    "version",
    "data",
    "trackEvents",
    "debugEventsUntilDate",
    "samplingRatio",
  ]) {
    if (random.chance(0.4)) members.push(`"${name}":${random.one(["true", "1", value()])}`);
  }
  return `{${members.join(",")}}`;
}

/** A body of events, or of what may pass for them. */
export function hostileEvents(random: Random): { readonly text: string; readonly events: number } {
  const kind = random.below(12);
  if (kind === 0)
    return {
      text: random.one(["", " ", "null", "{}", "[]", "[,]", "[1", '["', "nul", "\ufeff[]"]),
      events: 0,
    };
  if (kind === 1) return { text: hostileValue(random), events: 0 };
  const events = 1 + random.below(30);
  const text = `[${joined(events, ",", () => hostileEvent(random))}]`;
  return kind === 2 ? { text: text.slice(0, random.below(text.length)), events: 0 } : { text, events };
}

/** What unpacks it does not see how hard it was to pack. */
const pack = (bytes: Buffer): Buffer => gzipSync(bytes, { level: 1 });

/** Puts a text on the wire: packed, packed twice, said to be packed, cut short, with bytes that are no text. */
export function hostileBody(random: Random, text: string, events: number): HostileBody {
  const bytes = Buffer.from(text);
  const kind = random.below(12);
  if (kind === 0)
    return { bytes: pack(pack(bytes)), headers: { "content-encoding": "gzip, gzip" }, events: 0 };
  if (kind === 1) return { bytes, headers: { "content-encoding": "gzip" }, events: 0 };
  if (kind === 2)
    return { bytes: pack(bytes).subarray(0, 30), headers: { "content-encoding": "gzip" }, events: 0 };
  if (kind === 3)
    return { bytes, headers: { "content-encoding": random.one(["br", "identity", "deflate"]) }, events };
  if (kind === 4 && bytes.length > 0) {
    bytes[random.below(bytes.length)] = random.one([0xff, 0xc0, 0x80, 0x00]);
    return { bytes, headers: {}, events };
  }
  if (kind < 8) return { bytes: pack(bytes), headers: { "content-encoding": "gzip" }, events };
  return { bytes, headers: {}, events };
}
