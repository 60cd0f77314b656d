import { paths } from "../../protocol.js";
import { show } from "../../records/check-value.js";
import type { Addition } from "../additions.js";
import { type Awaitable, whenThere } from "../awaitable.js";
import type { BinaryText } from "../binary-text.js";
import type { CatalogueCall, CatalogueSnapshot } from "../catalogue.js";
import { paginationLinks } from "../documents/pagination-links.js";
import { brandsDocument, vehiclesDocument } from "../documents/vehicles-document.js";
import type { Preparation } from "../preparation.js";
import { brandParameters, type Parameter } from "../query/parameter-table.js";
import { type ParsedQuery, queryParser } from "../query/parse-query.js";
import { comparisonsOf, fieldsets, vehiclesRequest } from "../query/vehicles-request.js";
import { type Refusal, refuse } from "./refusal.js";

/** Reads the query string of one path. */
export type Endpoint = (search: string) => MakeDocument | Refusal;

/** Makes the document that was asked for, of one version. It depends on that, the query and `seesWithheld` alone. */
export type MakeDocument = (
  snapshot: CatalogueSnapshot,
  seesWithheld: boolean,
  call: CatalogueCall,
) => Awaitable<BinaryText>;

/** What the documents of a router have in common. */
export interface DocumentForm {
  readonly preparation: Preparation;
  readonly withLinks: boolean;
  readonly additions: () => readonly Addition[];
}

/** `GET /v2/vehicles`, with these parameters. */
export function vehiclesEndpoint(form: DocumentForm, table: readonly Parameter[]): Endpoint {
  const resource = lastSegment(paths.vehicles);
  const { preparation, withLinks, additions } = form;
  const comparisons = comparisonsOf(table);
  return withParameters(table, (query) => {
    const { text, selection: asked, pageSize, pageNumber, withBrands } = vehiclesRequest(query, comparisons);
    const { offset, limit } = asked;
    return (snapshot, seesWithheld, call) => {
      const found =
        text === undefined ? snapshot.find(asked, call) : snapshot.search({ text, offset, limit }, call);
      return whenThere(found, (selection) => {
        const overallCount = checkedCount(selection.overallCount);
        const page = {
          version: snapshot.version,
          selection,
          fieldsets: fieldsets(query),
          seesWithheld,
          withBrands,
          links: withLinks
            ? paginationLinks(resource, query.search, { pageNumber, pageSize, overallCount })
            : undefined,
          additions: additions(),
        };
        return vehiclesDocument(page, preparation);
      });
    };
  });
}

/** `GET /v2/vehicle_brands`. */
export function brandsEndpoint({ preparation, additions }: DocumentForm): Endpoint {
  return withParameters(
    brandParameters,
    (query) => (snapshot, _seesWithheld, call) =>
      whenThere(snapshot.brands(call), (brands) =>
        brandsDocument({ brands, fieldsets: fieldsets(query), additions: additions() }, preparation),
      ),
  );
}

function withParameters(table: readonly Parameter[], read: (query: ParsedQuery) => MakeDocument): Endpoint {
  const parse = queryParser(table);
  return (search) => {
    const query = parse(search);
    if (query.problems.length === 0) return read(query);
    return refuse(
      "BAD_REQUEST",
      query.problems.map(({ parameter, ...rest }) => ({ ...rest, source: { parameter } })),
    );
  };
}

/** Clients end their loops by this number: any other is a fault of the catalogue. */
function checkedCount(count: unknown): number {
  if (Number.isSafeInteger(count) && Number(count) >= 0) return Number(count);
  throw new TypeError(
    `the overallCount of what a catalogue finds must be a whole number from 0; got ${show(count)}`,
  );
}

function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
