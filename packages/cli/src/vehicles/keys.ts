import { resolve } from "node:path";
import { keyGroups } from "@wye/vehicle-catalogue";
import type { KeyEntry } from "@wye/vehicle-catalogue/server";
import { UsageError } from "../exit-code.js";
import type { Host } from "../host.js";
import { messageOf } from "../message-of.js";
import { readText } from "../read-text.js";

const variable = "WYE_VEHICLE_KEYS";

/** What is known of the end of a file that is read again and again. */
export interface LastLine {
  /** Whether it has ended in a line break: when it does so no more, it is half-written, and a key without its groups would have all. */
  hasEnded: boolean;
}

/**
 * The keys that may use the API: one a line of a file, `KEY` or `KEY GROUP,GROUP`, with comments after `#`; or those of a variable, with
 * commas between them, and never both: one of them would be passed over. A key without groups has all of
 * them. The same line twice is as good as once.
 */
export async function readKeys(
  file: string | undefined,
  { cwd, env }: Pick<Host, "cwd" | "env">,
  lastLine: LastLine,
): Promise<readonly KeyEntry[]> {
  const given = env[variable] ?? "";
  if (file !== undefined && given.trim() !== "") {
    throw new UsageError(
      `keys come from ${file} (--keys) or from ${variable}, and both are given: unset ${variable}, or leave --keys out`,
    );
  }
  const lines = file === undefined ? given.split(",") : await linesOf(file, cwd, lastLine);
  const first = new Map<string, { readonly place: string; readonly groups: string }>();
  const keys = lines.flatMap((line, index): readonly KeyEntry[] => {
    const [key = "", groups, ...others] = line
      .replace(/(?:^|\s)#.*$/, "")
      .trim()
      .split(/\s+/);
    if (key === "") return [];
    // Neither message repeats what may be a key.
    const place = file === undefined ? variable : `${file}:${index + 1}`;
    if (others.length > 0) throw new UsageError(`${place}: write KEY, or KEY GROUP,GROUP`);
    if (!/^[\x21-\x2b\x2d-\x7e]+$/.test(key))
      throw new UsageError(`${place}: a key is printable ASCII without blanks and commas`);
    const entry = { key, groups: groups === undefined ? keyGroups : groupsFrom(groups, place) };
    const sorted = entry.groups.toSorted().join();
    const before = first.get(key);
    first.set(key, before ?? { place, groups: sorted });
    if (before === undefined) return [entry];
    if (before.groups === sorted) return [];
    const where = before.place === place ? "before" : `in ${before.place}`;
    throw new UsageError(
      `${place}: the same key as ${where}, with other groups: give it all of its groups once`,
    );
  });
  if (keys.length > 0) return keys;
  const remedy = `set ${variable}, or name a file with --keys`;
  throw new UsageError(
    file === undefined ? `nobody could use the API: ${remedy}` : `${file} has no key in it`,
  );
}

async function linesOf(file: string, cwd: string, lastLine: LastLine): Promise<readonly string[]> {
  const text = await readText(resolve(cwd, file)).catch((error: unknown) => {
    throw new UsageError(`cannot read ${file}: ${messageOf(error)}`);
  });
  const ends = text.endsWith("\n");
  if (lastLine.hasEnded && !ends && text !== "") {
    throw new UsageError(
      `${file}: its last line does not end, as it did before: it may be half-written; end it with a line break`,
    );
  }
  lastLine.hasEnded ||= ends;
  return text.split(/\r?\n/);
}

function groupsFrom(text: string, place: string): KeyEntry["groups"] {
  return text.split(",").map((name) => {
    const group = keyGroups.find((one) => one === name);
    if (group === undefined) throw new UsageError(`${place}: groups are ${keyGroups.join(", ")}`);
    return group;
  });
}
