import { idListPages, joinAnswers } from "./id-list-pages.js";
import type { Answer } from "./json-api-document.js";
import { identityOf } from "./resolve-vehicles.js";
import type { VehiclePage } from "./vehicle-client.js";
import { identitiesOf, toPage, type VehicleReading, vehiclePages } from "./vehicle-pages.js";

/** So often pages are read, as long as vehicles move while they are. */
const mostReadings = 5;

/**
 * All vehicles, each once: when the catalogue changes between two pages, one may come on both, or on none. Where the count falls, or some
 * come twice, the pages are read again for those that were on none: until nothing moves, or every page is what it was in the reading before.
 */
export async function* eachVehicle(reading: VehicleReading): AsyncGenerator<never, void, undefined> {
  const seen = new Set<string>();
  const { signal } = reading.startCall();
  const list = idListOf(reading);
  const { number, size } = reading.query;
  // The pages of a list are cut here: which vehicles stand on them is known only when those before them are.
  let skipped = list ? (number - 1) * size : 0;
  let before = "";
  for (let left = mostReadings; left--; ) {
    const read = new Set<string>();
    let last = 0;
    let hasMoved = false;
    let shown = "";
    for await (const page of list ? idListPages(reading, list) : vehiclePages(reading)) {
      const count = page.overallCount ?? last;
      hasMoved ||= count < last;
      last = count;
      shown += `${count} ${identitiesOf(page)}\n`;
      for (const vehicle of page.vehicles) {
        signal.throwIfAborted();
        const identity = identityOf(vehicle);
        if (!seen.has(identity) && skipped-- <= 0) yield vehicle;
        hasMoved ||= read.has(identity);
        seen.add(identity);
        read.add(identity);
      }
    }
    if (list || !hasMoved || shown === before) return;
    before = shown;
  }
}

/** All pages from `query.number` on, at least one: the first, and those that have vehicles, and others than the page before. */
export async function* eachPage(
  reading: VehicleReading,
): AsyncGenerator<VehiclePage<never>, void, undefined> {
  const { query, startCall } = reading;
  const list = idListOf(reading);
  if (!list) {
    let before = "";
    for await (const page of vehiclePages(reading)) {
      const identities = identitiesOf(page);
      if (page.number === query.number || (identities !== "" && identities !== before)) yield page;
      before = identities;
    }
    return;
  }
  // The order of the list is there only when all of it is.
  const answers: Answer[] = [];
  startCall();
  for await (const page of idListPages(reading, list)) answers.push(page);
  const { document, lastModified } = joinAnswers(answers, list);
  const { data, ...others } = document;
  for (let { number } = query; ; number++) {
    const start = (number - 1) * query.size;
    const slice = data.slice(start, start + query.size);
    const answer = { document: { ...others, data: slice }, lastModified };
    const page = toPage(answer, { ...query, number }, start);
    yield page;
    if (!page.hasNext) return;
  }
}

/** The page that the query asks for; the deadline holds for all the requests it takes. */
export async function onePage(reading: VehicleReading): Promise<VehiclePage<never>> {
  const call = reading.startCall();
  const { value } = await eachPage({ ...reading, startCall: () => call }).next();
  // There is at least one.
  return value as VehiclePage<never>;
}

/** The ids that are asked for, if there is a list of them; none, and so no request, where a list lets nothing pass. */
function idListOf({ query: { lists } }: VehicleReading): readonly string[] | undefined {
  return lists["filter[manufacturer.id]"]?.length === 0 ? [] : lists["filter[id]"];
}
