import type { RelayResponse } from "./relay-response.js";

/** What an answer varies by: a header, and what the host has set before. */
export function varying(res: RelayResponse, header: string): string {
  const set = "getHeader" in res && typeof res.getHeader === "function" ? res.getHeader("vary") : undefined;
  const before = set === undefined || set === null ? "" : String(set);
  if (before === "") return header;
  const names = before.split(",").map((name) => name.trim().toLowerCase());
  return names.includes("*") || names.includes(header.toLowerCase()) ? before : `${before}, ${header}`;
}
