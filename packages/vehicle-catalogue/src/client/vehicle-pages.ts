import type { ClientSettings } from "./client-settings.js";
import { failureToError } from "./failure.js";
import { fetchDocument, type StartCall } from "./fetch-document.js";
import { type Answer, overallCountOf } from "./json-api-document.js";
import { identityOf, resolveVehicles } from "./resolve-vehicles.js";
import type { VehiclePage } from "./vehicle-client.js";
import { type VehiclesQuery, vehiclesUrl } from "./vehicles-query.js";

/** All that it takes to read vehicles. */
export interface VehicleReading {
  readonly query: VehiclesQuery;
  readonly startCall: StartCall;
  readonly settings: ClientSettings;
}

/**
 * Page after page, until as many vehicles came as there are or a page is empty that no other can follow, whichever is first. A server that
 * would never let this end is an error: it gives one page under two numbers, or does not stop within `maxPages`. That is not one to which
 * others that have come in front have moved the page before.
 */
export async function* vehiclePages({
  query,
  startCall,
  settings,
}: VehicleReading): AsyncGenerator<VehiclePage<never>, void, undefined> {
  let start = (query.number - 1) * query.size;
  let previous: string | undefined;
  let previousCount = 0;
  const read = async (number: number) => {
    const pageQuery = { ...query, number };
    const url = vehiclesUrl(settings.baseUrl, pageQuery);
    const page = toPage(await fetchDocument(url, startCall(), settings), pageQuery, start);
    return { url, page, identities: identitiesOf(page) };
  };
  for (let { number } = query; ; number++) {
    const { url, page, identities } = await read(number);
    const count = page.overallCount ?? 0;
    let isStuck = identities !== "" && identities === previous && count <= previousCount;
    // One that was moved here is no longer where it was, also when as many others have gone as came. It may have been moved back by now, but
    // not again and again.
    for (let looks = 3; isStuck && looks--; ) {
      const again = await read(number - 1 + (looks % 2));
      isStuck = again.identities === identities && again.page.overallCount === page.overallCount;
    }
    if (isStuck || number - query.number >= settings.maxPages) {
      const problem = "repeats a page or exceeds maxPages";
      throw failureToError({ code: "invalid_response", problem }, { url, attempt: 1 }, settings.redactor);
    }
    yield page;
    if (!page.hasNext) return;
    start += page.vehicles.length;
    previous = identities;
    previousCount = count;
  }
}

/** Tells pages apart by what is on them. */
export function identitiesOf({ vehicles }: VehiclePage<never>): string {
  return vehicles.map(identityOf).join();
}

/** An answer as the page that was asked for; `start` vehicles came before it. */
export function toPage(
  { document, lastModified }: Answer,
  { lists, number, size }: VehiclesQuery,
  start: number,
): VehiclePage<never> {
  const vehicles = resolveVehicles(document, lists);
  const overallCount = overallCountOf(document);
  const end = start + vehicles.length;
  // A page is empty in the middle where the server counts records that it leaves out. Where nothing is said of a count, an empty
  // page is the end.
  const reached = vehicles.length === 0 ? number * size : end;
  return {
    vehicles,
    overallCount,
    number,
    size,
    hasNext: overallCount === undefined ? end > start : reached < overallCount,
    lastModified,
    document,
  };
}
