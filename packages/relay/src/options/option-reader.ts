import { parseDuration } from "./duration.js";

const longestLimitMs = 24 * 24 * 3_600_000;

/** Reads untrusted options one by one, gives a default for each, and collects a sentence for each mistake. */
export class OptionReader {
  readonly problems: string[];
  readonly #place: string;
  readonly #values: Readonly<Record<string, unknown>>;
  /** Whether there was an object to read from; otherwise that is the only thing to report. */
  readonly #isObject: boolean;
  readonly #missing: boolean;

  constructor(values: unknown, place: string, problems: string[] = [], shape = "an object") {
    this.problems = problems;
    this.#place = place;
    // A Map is no such object, nor is a list.
    this.#isObject = Object.prototype.toString.call(values) === "[object Object]";
    this.#missing = values === undefined;
    if (!this.#isObject && !this.#missing) problems.push(`${place} must be ${shape}`);
    this.#values = this.#isObject ? Object.fromEntries(Object.entries(values as object)) : {};
  }

  report(name: string, sentence: string): void {
    this.problems.push(`${this.#place}: ${name} ${sentence}`);
  }

  names(): string[] {
    return Object.keys(this.#values);
  }

  /** Reports that there is no object at all, where options without one mean nothing. */
  demandObject(): void {
    if (this.#missing) this.problems.push(`${this.#place} must be an object`);
  }

  /** Reports options that do not exist. Those that were reported for another reason are passed over. */
  onlyThese(known: readonly string[], passedOver: readonly string[] = []): void {
    for (const name of this.names()) {
      if (known.includes(name) || passedOver.includes(name)) continue;
      this.report(name, `is not an option; there are ${known.join(", ")}`);
    }
  }

  /** The options inside an option, which is of that shape. Unknown names in it are reported unless any name is allowed. */
  section(
    name: string,
    known: readonly string[] | undefined,
    { problems = this.problems, shape }: { readonly problems?: string[]; readonly shape?: string } = {},
  ): OptionReader {
    const place = this.#place === "options" ? name : `${this.#place}.${name}`;
    const reader = new OptionReader(this.#values[name], place, problems, shape);
    if (known !== undefined) reader.onlyThese(known);
    return reader;
  }

  string(name: string): string | undefined {
    const value = this.#values[name];
    if (value === undefined || typeof value === "string") return value;
    this.report(name, "must be a string");
    return undefined;
  }

  credential(name: string, required?: string): string | undefined {
    const value = this.string(name);
    if (value === undefined) {
      if (required !== undefined && this.#isObject && this.#values[name] === undefined)
        this.report(name, required);
      return undefined;
    }
    if (!/^[\x21-\x7e]+$/.test(value)) {
      this.report(name, "must not be empty, and have no blanks or characters that a header cannot carry");
    }
    return value;
  }

  isList(name: string): boolean {
    return Array.isArray(this.#values[name]);
  }

  isEmptyList(name: string): boolean {
    const value = this.#values[name];
    return Array.isArray(value) && value.length === 0;
  }

  isNull(name: string): boolean {
    return this.#values[name] === null;
  }

  isFalse(name: string): boolean {
    return this.#values[name] === false;
  }

  isWord(name: string, word: string): boolean {
    return this.#values[name] === word;
  }

  #given(name: string, fallback: unknown): unknown {
    const value = this.#values[name];
    return value === undefined ? fallback : value;
  }

  /** Keys with the moment at which each expires; `undefined` when nothing is set. */
  keys(name: string): { readonly value: string; readonly expires?: number }[] | undefined {
    const list = this.#values[name];
    if (list === undefined) return undefined;
    if (!Array.isArray(list)) {
      this.report(name, 'must be a list of keys, each as text or as { key: "…", expires: "…" }');
      return [];
    }
    return list.map((entry: unknown, index) => {
      const place = `${this.#place}.${name}[${index}]`;
      const reader = new OptionReader(
        typeof entry === "string" ? { key: entry } : entry,
        place,
        this.problems,
      );
      reader.onlyThese(["key", "expires"]);
      const value = reader.credential("key", "is required") ?? "";
      const expires = reader.moment("expires");
      return expires === undefined ? { value } : { value, expires };
    });
  }

  /** A moment in Unix milliseconds. */
  moment(name: string): number | undefined {
    const value = this.#values[name];
    if (value === undefined) return undefined;
    const ms = momentFrom(value);
    if (ms === undefined)
      this.report(name, 'must be Unix milliseconds, a Date, or text with a zone like "2027-01-31T18:00:00Z"');
    else if (typeof value === "number" && value >= 1e9 && value < 1e11)
      this.report(name, `is ${value}, which is Unix seconds: milliseconds are meant`);
    return ms;
  }

  /** A list of texts; `problemOf` says what is wrong with one of them. */
  strings(
    name: string,
    fallback: readonly string[] = [],
    problemOf: (text: string) => string | undefined = () => undefined,
  ): readonly string[] {
    const value = this.#given(name, fallback);
    if (!Array.isArray(value) || !value.every((item) => typeof item === "string" && item !== "")) {
      this.report(name, "must be a list of strings, none of them empty");
      return [];
    }
    for (const text of value) {
      const problem = problemOf(text);
      if (problem !== undefined) this.report(name, `has ${JSON.stringify(text)}; ${problem}`);
    }
    // A copy: the host may go on using its list.
    return [...value];
  }

  boolean(name: string, fallback: boolean): boolean {
    const value = this.#given(name, fallback);
    if (typeof value === "boolean") return value;
    this.report(name, "must be true or false");
    return fallback;
  }

  duration(name: string, fallbackMs: number): number {
    const value = this.#values[name];
    const ms = value === undefined ? fallbackMs : parseDuration(value);
    if (ms !== undefined) return ms;
    this.report(
      name,
      'must be a time span up to 100 years: milliseconds, or text like "30s", "1m30s", "250ms"',
    );
    return fallbackMs;
  }

  /** How long something may take that others do: there is a limit, and no timer of Node is too short for it. */
  timeLimit(name: string, fallbackMs: number): number {
    const value = this.#values[name];
    const ms = value === undefined ? fallbackMs : parseDuration(value);
    if (ms !== undefined && ms > 0 && ms <= longestLimitMs) return ms;
    this.report(name, 'must be a time span from "1ms" to 24 days: milliseconds, or text like "30s", "1m30s"');
    return fallbackMs;
  }

  countOrNone(name: string, fallback: number): number {
    const least = "must be zero or a whole number above it";
    return this.#given(name, fallback) === 0 ? 0 : this.count(name, fallback, least);
  }

  count(name: string, fallback: number, demand = "must be a whole number above zero"): number {
    const value = this.#given(name, fallback);
    if (typeof value === "number" && Number.isSafeInteger(value) && value > 0) return value;
    this.report(name, demand);
    return fallback;
  }

  positive(name: string, fallback: number): number {
    const value = this.#given(name, fallback);
    if (typeof value === "number" && value > 0 && Number.isFinite(value)) return value;
    this.report(name, "must be a number above zero");
    return fallback;
  }

  oneOf<Choice extends string>(
    name: string,
    choices: readonly [Choice, ...Choice[]],
    fallback: Choice = choices[0],
  ): Choice {
    const value = this.#values[name];
    const chosen = value === undefined ? fallback : choices.find((choice) => choice === value);
    if (chosen !== undefined) return chosen;
    this.report(name, `must be one of ${choices.map((choice) => JSON.stringify(choice)).join(", ")}`);
    return fallback;
  }

  /** An absolute `http:` or `https:` address, without the slash at its end. */
  url(name: string, fallback: string): string {
    const value = this.string(name) ?? fallback;
    const url = URL.canParse(value) ? new URL(value) : undefined;
    if (url?.protocol === "http:" || url?.protocol === "https:") {
      if (url.search === "" && url.hash === "") return value.replace(/\/+$/, "");
      this.report(name, "must not have a query or a fragment");
      return fallback;
    }
    this.report(name, 'must be an absolute address like "https://stream.example.com"');
    return fallback;
  }

  function<Value>(name: string, fallback: Value): Value {
    const value = this.#values[name];
    if (value === undefined) return fallback;
    // What a function takes and gives cannot be seen from outside.
    if (typeof value === "function") return value as Value;
    const isWrapped =
      typeof value === "object" && value !== null && typeof Reflect.get(value, name) === "function";
    this.report(
      name,
      `must be a function${isWrapped ? `, such as the member ${name} of what is given` : ""}`,
    );
    return fallback;
  }

  /** An object that has these methods. */
  object<Value extends object>(name: string, methods: readonly (keyof Value & string)[]): Value | undefined {
    const value = this.#values[name];
    if (value === undefined) return undefined;
    const isObject = (typeof value === "object" && value !== null) || typeof value === "function";
    const missing = methods.filter((method) => !isObject || typeof Reflect.get(value, method) !== "function");
    // What its methods take and give cannot be seen from outside.
    if (isObject && missing.length === 0) return value as Value;
    this.report(
      name,
      `must be an object with the methods ${methods.join(", ")}; missing: ${missing.join(", ")}`,
    );
    return undefined;
  }
}

/** Text without a zone would mean another moment on another machine. */
const zonedMoment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/;

function momentFrom(value: unknown): number | undefined {
  const text = typeof value === "string" && zonedMoment.test(value) ? Date.parse(value) : undefined;
  const ms = value instanceof Date ? value.getTime() : (text ?? value);
  return typeof ms === "number" && Number.isFinite(ms) ? ms : undefined;
}
