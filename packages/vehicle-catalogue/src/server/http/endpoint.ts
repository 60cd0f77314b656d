import { paths } from "../../protocol.js";
import { type Awaitable, whenThere } from "../awaitable.js";
import type { Catalogue } from "../catalogue.js";
import { paginationLinks } from "../documents/pagination-links.js";
import { brandsDocument, vehiclesDocument } from "../documents/vehicles-document.js";
import { brandParameters, type Parameter, vehicleParameters } from "../query/parameter-table.js";
import { type ParsedQuery, parseQuery } from "../query/parse-query.js";
import { fieldsets, pageOffset, vehiclesRequest } from "../query/vehicles-request.js";
import { type Refusal, refuse } from "./refusal.js";

/** A document, and the version of the catalogue that it shows. */
export interface VersionedDocument {
  readonly version: string;
  readonly body: Uint8Array;
}

/** Answers the query string of one path. The answer depends on that and on `full` alone. */
export type Endpoint = (search: string, full: boolean) => Awaitable<VersionedDocument | Refusal>;

/** `GET /v2/vehicles`. */
export function vehiclesEndpoint(catalogue: Catalogue, withLinks: boolean): Endpoint {
  const resource = lastSegment(paths.vehicles);
  return withParameters(vehicleParameters, (query, full) => {
    const asked = vehiclesRequest(query);
    const { text, ids, manufacturerIds, pageSize, pageNumber, withBrands } = asked;
    const page = { offset: pageOffset(asked), limit: pageSize };
    const filters = {
      ...(ids === undefined ? {} : { ids }),
      ...(manufacturerIds === undefined ? {} : { manufacturerIds }),
    };
    const found =
      text === undefined ? catalogue.find({ ...filters, ...page }) : catalogue.search({ text, ...page });
    return whenThere(found, ({ version, vehicles, overallCount }) => {
      const links = withLinks
        ? paginationLinks(resource, query.pairs, { pageNumber, pageSize, overallCount })
        : undefined;
      const parts = { vehicles, overallCount, fieldsets: fieldsets(query), full, withBrands, links };
      return { version, body: vehiclesDocument(parts) };
    });
  });
}

/** `GET /v2/vehicle_brands`. */
export function brandsEndpoint(catalogue: Catalogue): Endpoint {
  return withParameters(brandParameters, (query) =>
    whenThere(catalogue.brands(), ({ version, brands }) => ({
      version,
      body: brandsDocument(brands, fieldsets(query)),
    })),
  );
}

function withParameters(
  table: readonly Parameter[],
  answer: (query: ParsedQuery, full: boolean) => Awaitable<VersionedDocument>,
): Endpoint {
  return (search, full) => {
    const query = parseQuery(table, search);
    if (query.problems.length === 0) return answer(query, full);
    return refuse(
      "BAD_REQUEST",
      query.problems.map(({ parameter, ...rest }) => ({ ...rest, source: { parameter } })),
    );
  };
}

function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
