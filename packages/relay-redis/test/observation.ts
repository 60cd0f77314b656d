import type { ItemKind } from "@wye/relay";
import { completeItem } from "@wye/relay/testing";
import type { Dump, RecordedResponse } from "./recording.js";

/** What a step showed, recorded or now, without what differs from run to run. */
export type Observation =
  | { readonly kind: "response"; readonly status: number; readonly json?: unknown }
  | { readonly kind: "stream"; readonly status: number; readonly events: readonly unknown[] }
  | { readonly kind: "dump"; readonly keys: Readonly<Record<string, unknown>> };

export function responseFrom({ status, json, stream }: RecordedResponse, redisPort: number): Observation {
  if (stream !== undefined) return { kind: "stream", status, events: eventsFrom(stream) };
  return { kind: "response", status, ...(json === undefined ? {} : { json: withoutPlace(json, redisPort) }) };
}

/** The keys of the database with the texts of items parsed and completed. */
export function dumpFrom(dump: Dump): Observation {
  const keys: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(dump)) {
    const kind = key.endsWith(":segments") ? "segments" : "flags";
    keys[key] =
      typeof value === "string"
        ? value
        : Object.fromEntries(
            Object.entries(value).map(([field, text]) => [field, completeItem(kind, JSON.parse(text))]),
          );
  }
  return { kind: "dump", keys };
}

/** The events of a stream that consists of full sets, with their items completed. */
function eventsFrom(text: string): unknown[] {
  return [...text.matchAll(/^event: (.*)\ndata: (.*)\n\n/gm)].map(([, event, data = ""]) => {
    const { path, data: all }: { path: string; data: Record<ItemKind, object> } = JSON.parse(data);
    const flags = complete("flags", all.flags);
    return { event, path, flags, segments: complete("segments", all.segments) };
  });
}

function complete(kind: ItemKind, items: object): object {
  return Object.fromEntries(Object.entries(items).map(([key, item]) => [key, completeItem(kind, item)]));
}

/** A status without points in time and with the recorded placeholder for the port. */
function withoutPlace(json: unknown, redisPort: number): unknown {
  return JSON.parse(
    JSON.stringify(json, (name, value) => (name === "stateSince" ? "(a time)" : value)).replaceAll(
      `127.0.0.1:${redisPort}`,
      "127.0.0.1:REDIS_PORT",
    ),
  );
}
