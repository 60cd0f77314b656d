import { consul, dynamoDb, proxy, redis } from "./properties/databases.js";
import { autoConfig, environment, filters, offlineMode } from "./properties/environments.js";
import { events, main } from "./properties/main.js";
import { datadog, prometheus, stackdriver, wye } from "./properties/observation.js";
import type { Property, Section } from "./property.js";

/** Every section of the file with every property, in the order of the guide. */
export const sections = {
  Main: main,
  AutoConfig: autoConfig,
  OfflineMode: offlineMode,
  Events: events,
  Environment: environment,
  Filters: filters,
  Redis: redis,
  Consul: consul,
  DynamoDB: dynamoDb,
  Datadog: datadog,
  Stackdriver: stackdriver,
  Prometheus: prometheus,
  Proxy: proxy,
  Wye: wye,
} as const satisfies Readonly<Record<string, Section>>;

export type SectionName = keyof typeof sections;

/** The names of all sections. */
export const sectionNames = Object.keys(sections).filter(isSectionName);

function isSectionName(name: string): name is SectionName {
  return Object.hasOwn(sections, name);
}

/** A section as the parser and the check see it. */
export function sectionOf(name: SectionName): Section {
  return sections[name];
}

const listed = Object.fromEntries(
  sectionNames.map((name) => [name, Object.entries(sectionOf(name).properties)]),
);

/** The properties of a section with their names. */
export function propertiesOf(name: SectionName): readonly (readonly [key: string, property: Property])[] {
  return listed[name] ?? [];
}
