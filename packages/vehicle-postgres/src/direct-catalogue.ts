import { type Brand, limits, type Vehicle } from "@wye/vehicle-catalogue";
import {
  type Catalogue,
  type CatalogueCall,
  CatalogueError,
  type CatalogueSnapshot,
  compareBrands,
  formatRecordProblem,
  type Logger,
  readCatalogueData,
  type VehicleExtension,
  type VehicleQuery,
  type VehicleSearch,
  type VehicleSelection,
  wordsOf,
} from "@wye/vehicle-catalogue/server";
import { checkMembers, type Members, shown } from "./check-members.js";
import type { PostgresConnection } from "./client-config.js";
import { reasonOf } from "./database-failure.js";
import { guardedLogger } from "./guarded-logger.js";
import { LeftOutReport } from "./left-out-report.js";
import { openPool, type QuestionPool } from "./pool.js";
import { checkSchema, defaultSchema } from "./schema-name.js";
import { recordOf, type VehicleRow, vehicleColumns } from "./stored-vehicle.js";
import { whereTrigramsAre } from "./trigrams.js";

/** How a catalogue asks a database. Only the connection is needed. */
export interface DirectCatalogueOptions {
  readonly connection: PostgresConnection;
  /** The schema that holds the tables. Default: `vehicle_catalogue`. */
  readonly schema?: string;
  /** How many connections there may be at a time. Default: 10. */
  readonly connections?: number;
  /** A question that is not answered within this time is given up. Default: 10,000. */
  readonly timeoutMs?: number;
  /** What vehicles may have beyond the documented API. Default: nothing. */
  readonly extension?: VehicleExtension;
  /** Reports connections that are lost. Default: says nothing. */
  readonly logger?: Logger;
}

/** A catalogue that keeps nothing. */
export interface DirectCatalogue extends Catalogue {
  /** Gives all connections back. */
  close(): Promise<void>;
}

const members: Members<DirectCatalogueOptions> = {
  connection: 1,
  schema: 1,
  connections: 1,
  timeoutMs: 1,
  extension: "an object",
  logger: "an object",
};

/**
 * Makes a catalogue that asks the database for every request, for fleets that do not fit in memory. It is the lesser one:
 * every request waits for the database and fails with it, far pages cost more than near ones, and search compares
 * trigrams of whole texts, without fields, aliases and rarity. Its schema needs `migrate(…, { trigrams: true })`.
 */
export function createDirectCatalogue(options: DirectCatalogueOptions): DirectCatalogue {
  checkMembers("createDirectCatalogue", options, members);
  const { connection, schema = defaultSchema, connections = 10, timeoutMs = 10_000 } = options;
  const { extension, logger } = options;
  if (!Number.isInteger(connections) || connections < 1) {
    throw new TypeError(`connections must be a whole number from 1; got ${shown(connections)}`);
  }
  const guarded = guardedLogger(logger);
  const pool = openPool(connection, { connections, timeoutMs, logger: guarded });
  let closed: Promise<void> | undefined;
  const questions = new Questions(pool, checkSchema(schema), { extension, logger: guarded });
  return {
    ...(extension === undefined ? {} : { extension }),
    snapshot: (call) => questions.snapshot(call),
    close: () => {
      closed ??= pool.end();
      return closed;
    },
  };
}

/** A row of which the token says of which version it is. */
interface Dated {
  readonly token: string;
}

/** What a page was answered with. */
interface PageRow extends Dated {
  /** Null where the version is that which was counted. */
  readonly count: string | null;
  readonly page: readonly VehicleRow[];
}

/** Which vehicles are on a page. */
interface PageClauses {
  readonly where: string;
  readonly order: string;
  readonly cut: string;
}

/** How rows are read. */
interface Reading {
  readonly extension: VehicleExtension | undefined;
  readonly logger: Logger;
}

/** So many wrong rows are told of, each once. */
const mostTold = 1000;

/** The questions that requests put to the database. Each is one statement, and so of one version. */
class Questions {
  readonly #pool: QuestionPool;
  readonly #schema: string;
  readonly #extension: VehicleExtension | undefined;
  readonly #logger: Logger;
  /** The ids of wrong rows that were told of. */
  readonly #told = new Set<string>();
  readonly #leftOut: LeftOutReport;
  /** The schema of the extension for searches, once it is known. */
  #trigrams: string | undefined;
  /** How many vehicles the version has that was counted last. */
  #counted: { readonly token: string; readonly count: number } | undefined;

  constructor(pool: QuestionPool, schema: string, { extension, logger }: Reading) {
    this.#logger = logger;
    this.#leftOut = new LeftOutReport(logger, schema);
    this.#pool = pool;
    this.#schema = schema;
    this.#extension = extension;
  }

  async snapshot(call: CatalogueCall | undefined): Promise<CatalogueSnapshot> {
    const { token } = await this.#dated(`select token from ${this.#schema}.catalogue_version`, [], call);
    return this.#snapshotOf(token);
  }

  #snapshotOf(version: string): CatalogueSnapshot {
    return {
      version,
      find: (query, asking) => this.#find(version, query, asking),
      search: (query, asking) => this.#search(version, query, asking),
      brands: (asking) => this.#brands(version, asking),
    };
  }

  async #find(
    version: string,
    query: VehicleQuery,
    call: CatalogueCall | undefined,
  ): Promise<VehicleSelection> {
    const { ids, manufacturerIds, offset, limit } = query;
    const values: unknown[] = [offset, limit];
    const filters: string[] = [];
    for (const [column, list] of [
      ["v.id", ids],
      ["v.brand_id", manufacturerIds],
    ] as const) {
      if (list === undefined) continue;
      values.push(list.filter((id) => !id.includes("\u0000")));
      filters.push(
        `lower(${column}) in (select lower(asked) from unnest($${values.length}::text[]) as asked)`,
      );
    }
    const where = filters.length === 0 ? "" : `where ${filters.join(" and ")}`;
    const counted = where === "" ? this.#counted : undefined;
    if (counted !== undefined) values.push(counted.token);
    const count = `(select count(*) from ${this.#schema}.vehicles v ${where})`;
    const row = await this.#page(
      counted === undefined ? count : `case when ${this.#token}::text = $3 then null else ${count} end`,
      { where, order: "left(v.sort_key, 600), v.sort_key, v.id", cut: "offset $1 limit $2" },
      values,
      call,
    );
    const overallCount = Number(row.count ?? counted?.count);
    if (where === "") this.#counted = { token: row.token, count: overallCount };
    const answer = { vehicles: this.#vehiclesOf(row), overallCount };
    return this.#same(version, row, answer, (newer) => ({
      find: (asked, asking) => (isEqual(asked, query) ? answer : newer.find(asked, asking)),
    }));
  }

  async #search(
    version: string,
    query: VehicleSearch,
    call: CatalogueCall | undefined,
  ): Promise<VehicleSelection> {
    const words = wordsOf(query.text).join(" ");
    const home = await this.#homeOfTrigrams(call);
    const row = await this.#page(
      "null",
      {
        where: `where $1 operator(${home}.<%) v.search_text`,
        order: `${home}.word_similarity($1, v.search_text) desc, ${home}.similarity($1, v.search_text) desc, v.sort_key, v.id`,
        cut: "limit $2",
      },
      [words, limits.searchResults],
      call,
    ).catch((error: unknown) => {
      // The extension may have been moved: the next search looks where it is.
      this.#trigrams = undefined;
      throw error;
    });
    const vehicles = this.#vehiclesOf(row);
    const page = vehicles.slice(query.offset, query.offset + query.limit);
    const answer = { vehicles: page, overallCount: vehicles.length };
    return this.#same(version, row, answer, (newer) => ({
      search: (asked, asking) => (isEqual(asked, query) ? answer : newer.search(asked, asking)),
    }));
  }

  /** Looked up until it is there, and after a search has failed: without it one fails for good, and is not to be tried again. */
  async #homeOfTrigrams(call: CatalogueCall | undefined): Promise<string> {
    if (this.#trigrams !== undefined) return this.#trigrams;
    const [row] = await this.#ask<{ schema: string }>(whereTrigramsAre, [], call);
    if (row === undefined) {
      throw new CatalogueError(
        "refused",
        "the database has no extension pg_trgm: run migrate(…, { trigrams: true })",
      );
    }
    this.#trigrams = row.schema;
    return row.schema;
  }

  async #brands(version: string, call: CatalogueCall | undefined): Promise<readonly Brand[]> {
    const row = await this.#dated<{ token: string; brands: readonly Brand[] }>(
      `select ${this.#token} as token, coalesce((
        select json_agg(json_build_object('id', b.id, 'name', b.name)) from ${this.#schema}.brands b
        where exists (select from ${this.#schema}.vehicles v where lower(v.brand_id) = lower(b.id))), '[]') as brands`,
      [],
      call,
    );
    const answer = [...row.brands].sort(compareBrands);
    return this.#same(version, row, answer, () => ({ brands: () => answer }));
  }

  /**
   * One page of vehicles and a count. What is sorted, for a far page all that there is, are ids without what belongs to them. An array is made
   * once, also where the server believes the table empty and would join by making the page anew for each row.
   */
  #page(
    count: string,
    { where, order, cut }: PageClauses,
    values: readonly unknown[],
    call: CatalogueCall | undefined,
  ): Promise<PageRow> {
    const vehicles = `${this.#schema}.vehicles v`;
    return this.#dated<PageRow>(
      `select ${this.#token} as token, ${count} as count, coalesce((
        select json_agg(page) from (
          select ${vehicleColumns} from ${vehicles} left join ${this.#schema}.brands b on b.id = v.brand_id
          where v.id = any(array(select v.id from ${vehicles} ${where} order by ${order} ${cut}))
          order by ${order}) page), '[]') as page`,
      values,
      call,
    );
  }

  /** Names the version that a statement sees. */
  get #token(): string {
    return `(select token from ${this.#schema}.catalogue_version)`;
  }

  /** Asks for one row that says of which version it is. */
  async #dated<Row extends Dated>(
    text: string,
    values: readonly unknown[],
    call: CatalogueCall | undefined,
  ): Promise<Row> {
    const [row] = await this.#ask<Row>(text, values, call);
    if (typeof row?.token === "string") return row;
    throw new CatalogueError("unavailable", `${this.#schema}.catalogue_version has lost its row`);
  }

  /**
   * The answer, if it is of the version that was asked for. Otherwise somebody has written since, and may write on: a snapshot of the
   * version that the answer is of has it at hand.
   */
  #same<Answer>(
    version: string,
    { token }: Dated,
    answer: Answer,
    having: (newer: CatalogueSnapshot) => Partial<CatalogueSnapshot>,
  ): Answer {
    if (token === version) return answer;
    const newer = this.#snapshotOf(token);
    const snapshot = { ...newer, ...having(newer) };
    throw new CatalogueError("superseded", `the version ${version} is gone`, { snapshot });
  }

  /** Whatever keeps the database from answering, clients are told to come again. */
  async #ask<Row extends object>(
    text: string,
    values: readonly unknown[],
    call: CatalogueCall | undefined,
  ): Promise<readonly Row[]> {
    const signal = call?.signal;
    try {
      return await this.#pool.ask<Row>({ text, values }, signal);
    } catch (cause) {
      signal?.throwIfAborted();
      throw new CatalogueError("unavailable", `the database does not answer: ${reasonOf(cause)}`, { cause });
    }
  }

  /** Rows as vehicles; those that are wrong are left out. They hold for one version: no name of a row is never given out again. */
  #vehiclesOf({ page }: PageRow): readonly Vehicle[] {
    const read = readCatalogueData(page.map(recordOf), this.#extension);
    this.#leftOut.tell(read);
    for (const problem of read.problems) {
      const { id = "" } = problem;
      if (this.#told.has(id) || this.#told.size >= mostTold) continue;
      this.#told.add(id);
      this.#logger.warn(`${this.#schema}: ${formatRecordProblem(problem)}`);
    }
    return read.vehicles;
  }
}

function isEqual(one: object, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
