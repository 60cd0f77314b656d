import { limits } from "../protocol.js";
import type { Answer, RawDocument, RawResource } from "./json-api-document.js";
import { identityOf } from "./resolve-vehicles.js";
import type { VehiclePage } from "./vehicle-client.js";
import { toPage, type VehicleReading, vehiclePages } from "./vehicle-pages.js";
import { type VehiclesQuery, vehiclesUrl } from "./vehicles-query.js";

/**
 * The answers to a list of ids of any length, batch by batch: no URL gets too long, and no batch is larger than a
 * page. Each has its vehicles in the order of the ids, also where a server gives the batch in several pages.
 */
export async function* idListPages(
  reading: VehicleReading,
  list: readonly string[],
): AsyncGenerator<VehiclePage<never>, void, undefined> {
  const { query, settings } = reading;
  const batchOf = (ids: readonly string[]): VehiclesQuery => ({
    ...query,
    lists: { ...query.lists, "filter[id]": ids },
    size: limits.maxPageSize,
    number: 1,
  });
  const isTooLong = (ids: readonly string[]): boolean =>
    vehiclesUrl(settings.baseUrl, batchOf(ids)).length > settings.maxUrlLength;
  for (let rest = list; rest.length > 0; ) {
    let ids = rest.slice(0, limits.maxPageSize);
    while (ids.length > 1 && isTooLong(ids)) ids = ids.slice(0, ids.length / 2);
    const answers: Answer[] = [];
    for await (const page of vehiclePages({ ...reading, query: batchOf(ids) })) answers.push(page);
    yield toPage(joinAnswers(answers, ids), query, 0);
    rest = rest.slice(ids.length);
  }
}

/** One answer in place of several: the vehicles of `ids` in that order, and all that was included, each once. */
export function joinAnswers(answers: readonly Answer[], ids: readonly string[]): Answer {
  const documents = answers.map(({ document }) => document);
  // Ids are the same in any spelling of their letters, and the server answers with its own.
  const positions = new Map(ids.map((id, position) => [id.toLowerCase(), position]));
  const positionOf = ({ id }: RawResource): number => positions.get(id.toLowerCase()) ?? -1;
  const data = distinct(documents.flatMap((document) => document.data))
    .filter((resource) => positionOf(resource) >= 0)
    .sort((a, b) => positionOf(a) - positionOf(b));
  const document: RawDocument = {
    data,
    included: distinct(documents.flatMap((document) => document.included ?? [])),
    meta: { overall_count: data.length },
  };
  // What has changed since the first answer is not in it, so its time is the one to go back to.
  return { document, lastModified: answers[0]?.lastModified };
}

function distinct(resources: readonly RawResource[]): RawResource[] {
  return [...new Map(resources.map((resource) => [identityOf(resource), resource])).values()];
}
