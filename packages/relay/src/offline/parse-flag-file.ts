import { createHash } from "node:crypto";
import { compileFlags, type Item, parseItem, type Steps } from "@wye/flag-evaluator";
import type { Change } from "../change.js";
import { type Fields, isFields } from "../fields.js";
import { messageOf } from "../message-of.js";
import { nearestName } from "../nearest-name.js";
import { inTurns } from "../steps.js";
import { checkFlag, prerequisitesOf } from "./check-flag.js";
import { checkSegment, segmentsOf } from "./check-segment.js";
import { completeFlag, completeSegment, flagOfValue } from "./complete-flag.js";
import { findCircles } from "./find-circles.js";
import type { FlagFile, FlagFileEnvironment } from "./flag-file-contents.js";
import { flagFileError } from "./flag-file-error.js";
import type { ItemProblem } from "./item-problem.js";
import type { LocatedProblem, LocatedText } from "./located-text.js";
import { misspeltNames } from "./misspelt-names.js";
import { flagShape, segmentShape } from "./part-shapes.js";
import { readLocatedText } from "./read-located-text.js";

const sectionNames = ["flags", "flagValues", "segments"] as const;
const topNames = [...sectionNames, "environments", "$schema"];

/** What Helm, Jinja, shells and others put into a name. */
const unfilled = /\{\{.*\}\}|\$\{.*\}|<%.*%>/s;

/** What it takes to complete the smallest flag, and to look whether it makes sense. */
const perEntry = 256;

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

/**
 * Reads flags that people have written, in JSON or YAML, in as many turns of the event loop as that needs. Throws a
 * `RelayError` (`malformed_data`) with a sentence for each mistake that names the file, the line, and the flag.
 */
export async function parseFlagFile(text: string, path: string): Promise<FlagFile> {
  const located = await readLocatedText(text);
  if (located.problems.length > 0) throw flagFileError(path, located.problems);
  const reader = new FlagFileReader(located);
  const file = await inTurns(reader.read());
  if (file !== undefined && reader.problems.length === 0) return file;
  throw flagFileError(path, reader.problems);
}

/** Makes what is served of what people have written, and collects what cannot be meant. */
class FlagFileReader {
  readonly #located: LocatedText;
  /** By line and sentence: shared flags are looked at once for each environment. */
  readonly #problems = new Map<string, LocatedProblem>();

  constructor(located: LocatedText) {
    this.#located = located;
  }

  get problems(): readonly LocatedProblem[] {
    return [...this.#problems.values()];
  }

  *read(): Steps<FlagFile | undefined> {
    const { value } = this.#located;
    if (!isFields(value)) {
      this.#report([], "there are no flags: write their names with their values, as in `my-flag: true`");
      return undefined;
    }
    const environments = new Map<string, FlagFileEnvironment>();
    const hasSections = Object.keys(value).some((name) => topNames.includes(name));
    if (!hasSections) {
      const flags = yield* entriesOf(value, [], completeFlag);
      return { shared: yield* this.#change({ flags, segments: new Map() }), environments };
    }
    for (const name of Object.keys(value)) if (!topNames.includes(name)) this.#unknown(name, [], topNames);
    const items = yield* this.#itemsOf(value, []);
    const shared = yield* this.#change(items);
    for (const [name, given] of Object.entries(this.#fieldsAt(value, "environments", []))) {
      const environment = yield* this.#environment(name, given, items);
      if (environment !== undefined) environments.set(name, environment);
    }
    return { shared, environments };
  }

  *#environment(name: string, given: unknown, shared: Items): Steps<FlagFileEnvironment | undefined> {
    const path = ["environments", name];
    this.#checkName(`environment ${JSON.stringify(name)}:`, name, path);
    if (!isFields(given)) {
      this.#report(path, `environment ${JSON.stringify(name)} must have an sdkKey, and may have flags`);
      return undefined;
    }
    const { flags: _, flagValues: __, segments: ___, ...settings } = given;
    const own = yield* this.#itemsOf(given, path);
    const change = yield* this.#change({
      flags: new Map([...shared.flags, ...own.flags]),
      segments: new Map([...shared.segments, ...own.segments]),
    });
    return { settings, line: this.#located.lineOf(path), change };
  }

  *#itemsOf(fields: Fields, path: readonly string[]): Steps<Items> {
    const sectionOf = (name: (typeof sectionNames)[number]) => this.#fieldsAt(fields, name, path);
    const flags = yield* entriesOf(sectionOf("flags"), [...path, "flags"], completeFlag);
    const ofValue = (key: string, value: unknown) => completeFlag(key, flagOfValue(value));
    const values = yield* entriesOf(sectionOf("flagValues"), [...path, "flagValues"], ofValue);
    for (const [key, entry] of values) {
      if (flags.has(key)) this.#report(entry.path, `flag ${JSON.stringify(key)} is in flags as well`);
      flags.set(key, entry);
    }
    const segmentOf = (key: string, given: unknown) => {
      if (isFields(given)) return completeSegment(key, given);
      this.#report([...path, "segments", key], `segment ${JSON.stringify(key)} must be an object`);
      return undefined;
    };
    const segments = yield* entriesOf(sectionOf("segments"), [...path, "segments"], segmentOf);
    return { flags, segments };
  }

  #fieldsAt(fields: Fields, name: string, path: readonly string[]): Fields {
    const value = fields[name] ?? {};
    if (isFields(value)) return value;
    this.#report([...path, name], `${name} must be names with values, as in \`my-flag: true\``);
    return {};
  }

  /** Makes what is served of the flags, after looking for mistakes. */
  *#change({ flags, segments }: Items): Steps<Change> {
    const neighbours = { flags: fieldsOf(flags), segments };
    for (const entry of flags.values()) {
      yield perEntry;
      this.#checkIdentity("flag", entry);
      this.#reportIn("flag", entry, misspeltNames(entry.fields, flagShape));
      this.#reportIn("flag", entry, checkFlag(entry.fields, neighbours));
    }
    for (const entry of segments.values()) {
      yield perEntry;
      this.#checkIdentity("segment", entry);
      this.#reportIn("segment", entry, misspeltNames(entry.fields, segmentShape));
      this.#reportIn("segment", entry, checkSegment(entry.fields, segments));
    }
    this.#reportCircles("flag", flags, prerequisitesOf, "prerequisites");
    this.#reportCircles("segment", segments, segmentsOf, "rules");
    const change = yield* this.#serialised({ flags, segments });
    const { problems } = yield* compileFlags({}).applyInSteps(change);
    for (const { kind, key, path, message } of problems) {
      const entry = (kind === "flags" ? flags : segments).get(key);
      const place = [...(entry?.path ?? []), ...path.split("/").slice(1)];
      this.#report(place, `${kind.slice(0, -1)} ${JSON.stringify(key)}: ${path || "/"}: ${message}`);
    }
    return change;
  }

  /** A full set. People who edit flags by hand forget versions: the state is named after what they have written. */
  *#serialised(entries: Items): Steps<Change> {
    const state = createHash("sha256");
    const items: Item[] = [];
    for (const kind of ["flags", "segments"] as const) {
      for (const entry of entries[kind].values()) {
        // It has been told that there is none.
        if (!Number.isSafeInteger(entry.fields.version)) continue;
        const item = this.#itemOf(kind, entry);
        if (item === undefined) continue;
        yield perEntry + item.json.length;
        state.update(JSON.stringify([kind, entry.key])).update(item.json);
        items.push(item);
      }
    }
    return { extent: "full", items, selector: { state: state.digest("base64url"), version: 1 } };
  }

  #itemOf(kind: Item["kind"], { key, path, fields }: Entry): Item | undefined {
    const failed = (message: string) => {
      this.#report(path, `${kind.slice(0, -1)} ${JSON.stringify(key)}: ${message}`);
      return undefined;
    };
    try {
      const item = parseItem(kind, key, JSON.stringify(fields));
      return item.fault === undefined ? item : failed(item.fault);
    } catch (error) {
      // Nested deeper than can be written.
      return failed(messageOf(error));
    }
  }

  #checkIdentity(what: string, { key, path, fields }: Entry): void {
    const about = `${what} ${JSON.stringify(key)}`;
    if (!Number.isSafeInteger(fields.version))
      this.#report([...path, "version"], `${about}: its version must be a whole number`);
    this.#checkName(`${about}:`, key, path);
    if (fields.key !== key) this.#report(path, `${about}: its key is ${JSON.stringify(fields.key)}`);
  }

  /** Nobody means the marks of a template to be part of a name. */
  #checkName(about: string, name: string, path: readonly string[]): void {
    if (unfilled.test(name)) this.#report(path, `${about} its name is a template that was not filled in`);
  }

  #reportIn(what: string, { key, path }: Entry, problems: Iterable<ItemProblem>): void {
    for (const problem of problems)
      this.#report([...path, ...problem.path], `${what} ${JSON.stringify(key)}: ${problem.message}`);
  }

  /** Reports what refers, in a member, to itself in the end. */
  #reportCircles(
    what: string,
    entries: ReadonlyMap<string, Entry>,
    referencesOf: (fields: Fields) => readonly string[],
    member: string,
  ): void {
    const references = new Map([...entries].map(([key, { fields }]) => [key, referencesOf(fields)]));
    for (const circle of findCircles(references)) {
      const entry = entries.get(circle[0] ?? "");
      const way = circle.map((name) => JSON.stringify(name)).join(", ");
      const message = `its ${member} lead back to it: ${way}`;
      if (entry !== undefined) this.#reportIn(what, entry, [{ path: [member], message }]);
    }
  }

  #unknown(name: string, path: readonly string[], known: readonly string[]): void {
    const meant = nearestName(name, known);
    const hint = meant === undefined ? `there are ${known.join(", ")}` : `is it ${meant}?`;
    this.#report([...path, name], `there is no ${JSON.stringify(name)} here; ${hint}`);
  }

  #report(path: readonly string[], message: string): void {
    const line = this.#located.lineOf(path);
    this.#problems.set(`${line}:${message}`, { line, message });
  }
}

/** Completes what stands under each name; what is left out has no use. */
function* entriesOf(
  values: Fields,
  path: readonly string[],
  complete: (key: string, given: unknown) => Fields | undefined,
): Steps<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  for (const [key, given] of Object.entries(values)) {
    yield perEntry;
    const fields = complete(key, given);
    if (fields !== undefined) entries.set(key, { key, path: [...path, key], fields });
  }
  return entries;
}

function fieldsOf(entries: ReadonlyMap<string, Entry>): ReadonlyMap<string, Fields> {
  return new Map([...entries].map(([key, { fields }]) => [key, fields]));
}
