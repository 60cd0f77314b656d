import { compileFlags } from "@wye/flag-evaluator";
import type { Change } from "../change.js";
import { RelayError } from "../error.js";
import { type Fields, isFields } from "../fields.js";
import { messageOf } from "../message-of.js";
import { changeFromJson } from "../sources/change-from-event.js";
import { checkFlag } from "./check-flag.js";
import { completeFlag, completeSegment, flagOfValue } from "./complete-item.js";
import { flagNames, segmentNames } from "./item-names.js";
import { type LocatedText, readLocatedText } from "./located-text.js";
import { nearestName } from "./nearest-name.js";

/** An environment that a file of flags names. */
export interface FlagFileEnvironment {
  /** What the file says of it beside its flags: keys and settings, not looked at yet. */
  readonly settings: Fields;
  /** Its line. */
  readonly line: number;
  readonly change: Change;
}

/** What a file of flags has. */
export interface FlagFile {
  /** The flags that belong to no environment, or to all of them. */
  readonly shared: Change;
  readonly environments: ReadonlyMap<string, FlagFileEnvironment>;
}

const sectionNames = ["flags", "flagValues", "segments"] as const;
const topNames = [...sectionNames, "environments", "$schema"];

/**
 * Reads flags that people have written, in JSON or YAML. Throws a `RelayError` (`malformed_data`) with a sentence for each
 * mistake that names the file, the line, and the flag.
 */
export async function parseFlagFile(text: string, path: string): Promise<FlagFile> {
  const located = await readLocatedText(text);
  const reader = new FlagFileReader(located);
  const file = located.problems.length > 0 ? undefined : reader.read();
  const problems = [...located.problems, ...reader.problems];
  if (file !== undefined && problems.length === 0) return file;
  throw flagFileError(path, problems);
}

/** More than these are counted: one mistake may lead to thousands. */
const mostProblems = 50;

/** Says what is wrong with a file of flags. */
export function flagFileError(
  path: string,
  problems: readonly { readonly line: number; readonly message: string }[],
): RelayError {
  const all = problems
    .toSorted((a, b) => a.line - b.line)
    .map(({ line, message }) => `${path}:${line}: ${message}`);
  const unique = [...new Set(all)];
  const more = unique.length - mostProblems;
  const sentences = [
    ...unique.slice(0, mostProblems),
    ...(more > 0 ? [`${path}: and ${more} more problems`] : []),
  ];
  return new RelayError("malformed_data", sentences.join("\n"), { problems: sentences });
}

/** What stands at one place: a name, the way to it, and its value. */
interface Entry {
  readonly key: string;
  readonly path: readonly string[];
  readonly fields: Fields;
}

/** Flags and segments that belong together, completed, by their keys. */
interface Items {
  readonly flags: ReadonlyMap<string, Entry>;
  readonly segments: ReadonlyMap<string, Entry>;
}

class FlagFileReader {
  readonly problems: { line: number; message: string }[] = [];
  readonly #located: LocatedText;

  constructor(located: LocatedText) {
    this.#located = located;
  }

  read(): FlagFile | undefined {
    const { value } = this.#located;
    if (!isFields(value)) {
      this.#report([], "there are no flags: write their names with their values, as in `my-flag: true`");
      return undefined;
    }
    const hasSections = Object.keys(value).some((name) => topNames.includes(name));
    if (!hasSections) {
      const flags = this.#entries(value, [], completeFlag);
      return { shared: this.#change({ flags, segments: new Map() }), environments: new Map() };
    }
    for (const name of Object.keys(value)) if (!topNames.includes(name)) this.#unknown(name, [], topNames);
    const shared = this.#itemsOf(value, []);
    const environments = this.#fieldsAt(value, "environments", []);
    return {
      shared: this.#change(shared),
      environments: new Map(
        Object.entries(environments).flatMap(([name, given]) => this.#environment(name, given, shared)),
      ),
    };
  }

  #environment(name: string, given: unknown, shared: Items): [string, FlagFileEnvironment][] {
    const path = ["environments", name];
    if (!isFields(given)) {
      this.#report(path, `environment ${JSON.stringify(name)} must have an sdkKey, and may have flags`);
      return [];
    }
    const { flags: _, flagValues: __, segments: ___, ...settings } = given;
    const own = this.#itemsOf(given, path);
    const items = {
      flags: new Map([...shared.flags, ...own.flags]),
      segments: new Map([...shared.segments, ...own.segments]),
    };
    return [[name, { settings, line: this.#located.lineOf(path), change: this.#change(items) }]];
  }

  #itemsOf(fields: Fields, path: readonly string[]): Items {
    const [flags, values, segments] = sectionNames.map((name) => this.#fieldsAt(fields, name, path));
    const all = this.#entries(flags ?? {}, [...path, "flags"], completeFlag);
    const fromValue = (key: string, value: unknown) => completeFlag(key, flagOfValue(value));
    for (const [key, entry] of this.#entries(values ?? {}, [...path, "flagValues"], fromValue)) {
      if (all.has(key)) this.#report(entry.path, `flag ${JSON.stringify(key)} is in flags as well`);
      all.set(key, entry);
    }
    const segmentEntries = Object.entries(segments ?? {}).flatMap(([key, given]) => {
      if (isFields(given)) return [[key, given] as const];
      this.#report([...path, "segments", key], `segment ${JSON.stringify(key)} must be an object`);
      return [];
    });
    const complete = (key: string, given: unknown) => completeSegment(key, isFields(given) ? given : {});
    return {
      flags: all,
      segments: this.#entries(Object.fromEntries(segmentEntries), [...path, "segments"], complete),
    };
  }

  #entries(
    values: Fields,
    path: readonly string[],
    complete: (key: string, given: unknown) => Fields,
  ): Map<string, Entry> {
    return new Map(
      Object.entries(values).map(([key, given]) => {
        const entry = { key, path: [...path, key], fields: complete(key, given) };
        return [key, entry];
      }),
    );
  }

  #fieldsAt(fields: Fields, name: string, path: readonly string[]): Fields {
    const value = fields[name] ?? {};
    if (isFields(value)) return value;
    this.#report([...path, name], `${name} must be names with values, as in \`my-flag: true\``);
    return {};
  }

  /** Makes what is served of the flags, after looking for mistakes. */
  #change({ flags, segments }: Items): Change {
    const fieldsOf = (entries: ReadonlyMap<string, Entry>) =>
      new Map([...entries].map(([key, { fields }]) => [key, fields]));
    const neighbours = { flags: fieldsOf(flags), segments };
    for (const entry of flags.values()) {
      this.#checkNames("flag", entry, flagNames);
      for (const { path, message } of checkFlag(entry.fields, neighbours))
        this.#report([...entry.path, ...path], `flag ${JSON.stringify(entry.key)}: ${message}`);
    }
    for (const entry of segments.values()) this.#checkNames("segment", entry, segmentNames);
    const readable = (entries: ReadonlyMap<string, Entry>) =>
      new Map([...fieldsOf(entries)].filter(([, { version }]) => Number.isSafeInteger(version)));
    const change = this.#serialised({ flags: readable(flags), segments: readable(segments) });
    for (const { kind, key, path, message } of compileFlags({}).apply(change).problems) {
      const entry = (kind === "flags" ? flags : segments).get(key);
      const place = [...(entry?.path ?? []), ...path.split("/").slice(1)];
      this.#report(place, `${kind.slice(0, -1)} ${JSON.stringify(key)}: ${path || "/"}: ${message}`);
    }
    return change;
  }

  #serialised(items: Record<"flags" | "segments", ReadonlyMap<string, Fields>>): Change {
    try {
      const { flags, segments } = items;
      const text = JSON.stringify({
        flags: Object.fromEntries(flags),
        segments: Object.fromEntries(segments),
      });
      return changeFromJson(text);
    } catch (error) {
      this.#report([], messageOf(error));
      return { extent: "full", items: [] };
    }
  }

  #checkNames(what: string, { key, path, fields }: Entry, known: readonly string[]): void {
    const about = `${what} ${JSON.stringify(key)}`;
    if (!Number.isSafeInteger(fields.version))
      this.#report([...path, "version"], `${about}: its version must be a whole number`);
    if (fields.key !== key) this.#report(path, `${about}: its key is ${JSON.stringify(fields.key)}`);
    for (const name of Object.keys(fields)) {
      const meant = known.includes(name) ? undefined : nearestName(name, known);
      if (meant !== undefined)
        this.#report([...path, name], `${about}: there is no ${name}; is it ${meant}?`);
    }
  }

  #unknown(name: string, path: readonly string[], known: readonly string[]): void {
    const meant = nearestName(name, known);
    const hint = meant === undefined ? `there are ${known.join(", ")}` : `is it ${meant}?`;
    this.#report([...path, name], `there is no ${JSON.stringify(name)} here; ${hint}`);
  }

  /** Shared flags are looked at once for each environment. */
  #report(path: readonly string[], message: string): void {
    const line = this.#located.lineOf(path);
    if (!this.problems.some((one) => one.line === line && one.message === message))
      this.problems.push({ line, message });
  }
}
