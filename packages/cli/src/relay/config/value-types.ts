import { mostWorkers } from "../most-workers.js";

/** Where a text stands: files and variables spell truth differently. */
export type Medium = "file" | "variable";

/** What a text means, or what is wrong with it. Problems never repeat what may be a secret. */
export type Parsed<Value> = { readonly value: Value } | { readonly problem: string };

/** A type of values: how it is written, read and shown. */
export interface ValueType<Value> {
  /** What it is called in the guide. */
  readonly name: string;
  parse(text: string, medium: Medium): Parsed<Value>;
  /** As it is written. */
  print(value: Value): string;
  /** What the name without `=` means in a file. */
  readonly blank?: Value;
  /** Several values come one after another: the later do not replace the earlier. */
  readonly appends?: true;
}

const truths: Readonly<Record<Medium, ReadonlyMap<string, boolean>>> = {
  variable: new Map([
    ...["true", "yes", "1"].map((word) => [word, true] as const),
    ...["false", "no", "0"].map((word) => [word, false] as const),
  ]),
  file: new Map([
    // Nothing after the `=` means the same as no `=`.
    ...["true", "yes", "on", "1", ""].map((word) => [word, true] as const),
    ...["false", "no", "off", "0"].map((word) => [word, false] as const),
  ]),
};

export const boolean: ValueType<boolean> = {
  name: "boolean",
  parse(text, medium) {
    const value = truths[medium].get(text.toLowerCase());
    if (value !== undefined) return { value };
    const problem =
      medium === "file"
        ? `failed to parse bool ${quoted(text)}`
        : "not a valid boolean value (must be true/false, yes/no, or 0/1)";
    return { problem };
  },
  print: String,
  blank: true,
};

export const text: ValueType<string> = { name: "text", parse: (value) => ({ value }), print: String };

/** Parts between commas, blanks included. */
export const list: ValueType<readonly string[]> = {
  name: "list",
  parse: (value) => ({ value: value.split(",") }),
  print: (values) => values.join(","),
  appends: true,
};

const wholeNumber = (text: string): Parsed<number> => {
  if (!/^[+-]?\d{1,15}$/.test(text)) return { problem: "not a valid integer" };
  const value = Number(text);
  return value > 0 ? { value } : { problem: "value must be greater than zero" };
};

export const count: ValueType<number> = {
  name: "whole number above 0",
  parse: wholeNumber,
  print: String,
};

export const workerCount: ValueType<number> = {
  name: `whole number from 1 to ${mostWorkers}`,
  parse(text) {
    const parsed = wholeNumber(text);
    const isBeyond = "value" in parsed && parsed.value > mostWorkers;
    return isBeyond ? { problem: `there are no more than ${mostWorkers}` } : parsed;
  },
  print: String,
};

export const port: ValueType<number> = {
  name: "port",
  parse(text) {
    const parsed = wholeNumber(text);
    const isBeyond = "value" in parsed && parsed.value > 65_535;
    return isBeyond ? { problem: "there is no port above 65535" } : parsed;
  },
  print: String,
};

/** An absolute address of any scheme. */
export const address: ValueType<string> = { name: "URL", parse: absoluteAddress, print: String };

/** The base of addresses that are asked over HTTP. */
export const httpAddress: ValueType<string> = {
  name: "URL",
  parse(text) {
    const parsed = absoluteAddress(text);
    if ("problem" in parsed) return parsed;
    const { protocol, search, hash } = new URL(text);
    if (protocol !== "http:" && protocol !== "https:")
      return { problem: "must begin with http:// or https://" };
    return search === "" && hash === "" ? parsed : { problem: "must not have a query or a fragment" };
  },
  print: String,
};

function absoluteAddress(text: string): Parsed<string> {
  const hasScheme = /^[a-z][a-z\d+.-]*:/i.test(text);
  // `http:host` is an address as well, in which no password would be seen.
  if (/^[a-z][a-z\d+.-]*:\/\/[^/\\]/i.test(text) && URL.canParse(text)) return { value: text };
  const isRelative = !hasScheme && URL.canParse(text, "http://base");
  return { problem: isRelative ? "must be an absolute URL/URI" : "not a valid URL/URI" };
}

const levels = ["debug", "info", "warn", "error", "none"] as const;

/** From which importance on messages are written. */
export type LogLevel = (typeof levels)[number];

export const logLevel: ValueType<LogLevel> = {
  name: levels.join(", "),
  parse(text) {
    const value = levels.find((level) => level === text.toLowerCase());
    return value === undefined ? { problem: `${quoted(text)} is not a valid log level` } : { value };
  },
  print: String,
};

const formats = ["text", "json"] as const;

/** How lines of the log are written. */
export type LogFormat = (typeof formats)[number];

export const logFormat: ValueType<LogFormat> = {
  name: formats.join(", "),
  parse(text) {
    const value = formats.find((format) => format === text.toLowerCase());
    return value === undefined ? { problem: `${quoted(text)} is not a valid log format` } : { value };
  },
  print: String,
};

const tlsVersions = ["1.0", "1.1", "1.2", "1.3"] as const;

/** The least version of TLS that clients may speak. */
export type TlsVersion = (typeof tlsVersions)[number];

export const tlsVersion: ValueType<TlsVersion> = {
  name: tlsVersions.join(", "),
  parse(text) {
    const value = tlsVersions.find((version) => version === text);
    return value === undefined ? { problem: `${quoted(text)} is not a valid TLS version` } : { value };
  },
  print: String,
};

/** A wrong word may be a secret that got into the wrong place: only a short one is repeated. */
function quoted(word: string): string {
  return word.length > 12 || /[^\w.+-]/.test(word) ? "this" : JSON.stringify(word);
}
