import type { RelayResponse } from "./relay-response.js";

/** What an answer varies by: a header, and what the host has set before. */
export function varying(res: RelayResponse, header: string): string {
  const set = "getHeader" in res && typeof res.getHeader === "function" ? res.getHeader("vary") : undefined;
  return joinVary(set === undefined || set === null ? "" : String(set), header);
}

/** What varies by one list of headers and by another. */
export function joinVary(before: string, more: string): string {
  const namesOf = (list: string) =>
    list
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== "");
  const known = new Set(namesOf(before.toLowerCase()));
  if (known.has("*")) return before;
  const added = namesOf(more).filter((name) => !known.has(name.toLowerCase()));
  return before === "" ? added.join(", ") : [before, ...added].join(", ");
}
