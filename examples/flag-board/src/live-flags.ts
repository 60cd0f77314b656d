import { createFixedSource, type SourceFactory } from "@wye/relay";
import { checkFlag } from "./check-flag.js";
import type { Flag, FlagProblem } from "./flag.js";

/** What became of an edit. */
export type EditOutcome =
  | { readonly kind: "saved"; readonly flag: Flag }
  | { readonly kind: "unknown" }
  /** Somebody else was faster; the flag is as they left it. */
  | { readonly kind: "outdated"; readonly flag: Flag }
  | { readonly kind: "wrong"; readonly problems: readonly FlagProblem[] };

/** The flags of a file, edited in memory and served at once. */
export interface LiveFlags {
  /** For the relay. */
  readonly source: SourceFactory;
  /** How often the flags have changed since the start. */
  readonly revision: number;
  all(): readonly Flag[];
  /**
   * Replaces a flag by the text of another. Its version becomes one greater, whatever the text says. With `basedOn` only a
   * flag of that version is replaced. Resolves when the relay serves it.
   */
  edit(key: string, text: string, basedOn?: number): Promise<EditOutcome>;
  /** Goes back to the file; versions go on. */
  reset(): Promise<void>;
}

/** Starts with the text of a file: `{"flags":{…},"segments":{…}}`. Throws, naming the place, when a flag is wrong. */
export function createLiveFlags(file: string): LiveFlags {
  const fixed = createFixedSource(file);
  // The source has found that it is an object of objects.
  const { flags: listed, ...rest } = JSON.parse(file) as {
    readonly flags: Readonly<Record<string, unknown>>;
  };
  const original = Object.entries(listed).map(([key, value]) => flagOrThrow(key, JSON.stringify(value)));
  let flags = new Map(original.map((flag) => [flag.key, flag]));
  let revision = 0;

  function serve(next: Map<string, Flag>): Promise<void> {
    flags = next;
    revision++;
    return fixed.replace(JSON.stringify({ ...rest, flags: Object.fromEntries(flags) }));
  }

  return {
    source: fixed.source,
    get revision() {
      return revision;
    },
    all: () => [...flags.values()],
    async edit(key, text, basedOn) {
      const known = flags.get(key);
      if (known === undefined) return { kind: "unknown" };
      if (basedOn !== undefined && basedOn !== known.version) return { kind: "outdated", flag: known };
      const check = checkFlag(key, text);
      if (!check.ok) return { kind: "wrong", problems: check.problems };
      const flag = { ...check.flag, version: known.version + 1 };
      await serve(new Map(flags).set(key, flag));
      return { kind: "saved", flag };
    },
    reset: () =>
      serve(
        new Map(
          original.map((flag) => [flag.key, { ...flag, version: (flags.get(flag.key)?.version ?? 0) + 1 }]),
        ),
      ),
  };
}

function flagOrThrow(key: string, text: string): Flag {
  const check = checkFlag(key, text);
  if (check.ok) return check.flag;
  const [first] = check.problems;
  throw new TypeError(`flag ${JSON.stringify(key)} at ${first?.path || "/"}: ${first?.message}`);
}
