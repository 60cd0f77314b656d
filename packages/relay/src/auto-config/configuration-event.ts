import { isRelayError, malformedData, type RelayError } from "../error.js";
import type { Fields } from "../fields.js";
import type { AnnouncedEnvironment, AnnouncedFilter } from "./announced.js";
import { demandFields, integerOf, textOf } from "./fields.js";
import { readAnnouncedEnvironment, readAnnouncedFilter } from "./read-announced.js";

/** What stands in the place of an item, and why it cannot be used. */
export interface BrokenItem {
  readonly given: unknown;
  readonly error: RelayError;
}

/** What a full set has, by the IDs. */
export interface Entries<Item> {
  readonly items: ReadonlyMap<string, Item>;
  readonly broken: ReadonlyMap<string, BrokenItem>;
}

/** One message of the stream of automatic configuration. */
export type ConfigurationEvent =
  | {
      readonly kind: "put";
      readonly environments: Entries<AnnouncedEnvironment>;
      readonly filters: Entries<AnnouncedFilter>;
    }
  | { readonly kind: "environment"; readonly id: string; readonly item: AnnouncedEnvironment }
  | { readonly kind: "filter"; readonly id: string; readonly item: AnnouncedFilter }
  | { readonly kind: "no-environment" | "no-filter"; readonly id: string; readonly version: number }
  | { readonly kind: "reconnect" }
  | { readonly kind: "passed-over"; readonly reason: string };

/**
 * Reads a message. One broken environment in a full set leaves the others as they are; anything else of the wrong shape
 * makes it throw a `RelayError` (`malformed_data`).
 */
export function readConfigurationEvent(name: string, text: string): ConfigurationEvent {
  if (name === "reconnect") return { kind: "reconnect" };
  if (name !== "put" && name !== "patch" && name !== "delete")
    return { kind: "passed-over", reason: `there is no event ${JSON.stringify(name)}` };
  const body = demandFields(parse(text), name);
  const path = textOf(body, "path");
  if (name === "put") return path === "/" ? putFrom(body) : passedOver(name, path);
  const place = placeFrom(path);
  if (place === undefined) return passedOver(name, path);
  const { kind, id } = place;
  if (name === "delete") return { kind: `no-${kind}`, id, version: integerOf(body, "version") };
  if (kind === "filter") return { kind, id, item: readAnnouncedFilter(body.data) };
  const item = readAnnouncedEnvironment(body.data);
  // What names another one is of no use for either, and no reason to lose what comes behind it.
  return item.envId === id
    ? { kind, id, item }
    : { kind: "passed-over", reason: `${name}: ${otherId(id, item)}` };
}

function passedOver(name: string, path: string): ConfigurationEvent {
  return { kind: "passed-over", reason: `${name}: there is no path ${JSON.stringify(path)}` };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw malformedData("the data is not JSON", cause);
  }
}

function placeFrom(path: string): { kind: "environment" | "filter"; id: string } | undefined {
  const [, place, id] = /^\/(environments|filters)\/(.+)$/s.exec(path) ?? [];
  if (id === undefined) return undefined;
  return { kind: place === "environments" ? "environment" : "filter", id };
}

/** Lists may be left out, or null; a message without both is a part of one, and would take every environment away. */
function putFrom(body: Fields): ConfigurationEvent {
  const data = demandFields(body.data, 'put: "data"');
  return {
    kind: "put",
    environments: entriesFrom(data, "environments", environmentFrom),
    filters: entriesFrom(data, "filters", (_, value) => readAnnouncedFilter(value)),
  };
}

/** Upstream says the ID twice, as a check: the credential of browsers is not to be a wrong one. */
function environmentFrom(id: string, value: unknown): AnnouncedEnvironment {
  const environment = readAnnouncedEnvironment(value);
  if (environment.envId === id) return environment;
  throw malformedData(otherId(id, environment));
}

function otherId(id: string, { envId }: AnnouncedEnvironment): string {
  return `"envID" is ${JSON.stringify(envId)}, not ${JSON.stringify(id)}`;
}

function entriesFrom<Item>(
  data: Fields,
  name: string,
  read: (id: string, value: unknown) => Item,
): Entries<Item> {
  const items = new Map<string, Item>();
  const broken = new Map<string, BrokenItem>();
  for (const [id, given] of Object.entries(demandFields(data[name] ?? {}, `put: "${name}"`))) {
    try {
      items.set(id, read(id, given));
    } catch (error) {
      if (!isRelayError(error)) throw error;
      broken.set(id, { given, error });
    }
  }
  return { items, broken };
}
