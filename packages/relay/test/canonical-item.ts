import type { ItemKind } from "@wye/flag-evaluator";
import { completeItem } from "../src/testing/complete-item.js";
import type { StreamEvent } from "./replay.js";

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function completeAll(kind: ItemKind, value: unknown): unknown {
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, item === null ? null : completeItem(kind, item)]),
  );
}

/** The events of `/all` or `/flags` with canonical items. */
export function canonicalEvents(events: readonly StreamEvent[]): StreamEvent[] {
  return events.map(({ event, data }) => {
    if (!isFields(data) || (event !== "put" && event !== "patch")) return { event, data };
    if (event === "patch") {
      const kind = String(data.path).startsWith("/segments/") ? "segments" : "flags";
      return { event, data: { ...data, data: completeItem(kind, data.data) } };
    }
    if (data.path !== "/") return { event, data: completeAll("flags", data) };
    const { flags, segments } = isFields(data.data) ? data.data : {};
    const all = { flags: completeAll("flags", flags), segments: completeAll("segments", segments) };
    return { event, data: { ...data, data: all } };
  });
}

/** A body of PHP polling with canonical items; others as they are. */
export function canonicalBody(json: unknown, path: string): unknown {
  if (/^\/sdk\/flags(?:\?|$)/.test(path)) return completeAll("flags", json);
  if (path.startsWith("/sdk/flags/")) return completeItem("flags", json);
  return path.startsWith("/sdk/segments/") ? completeItem("segments", json) : json;
}
