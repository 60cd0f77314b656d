import type {
  AdditionalQuery,
  CatalogueSnapshot,
  Logger,
  MemoryCatalogue,
  VehicleExtension,
} from "@wye/vehicle-catalogue/server";
import { CatalogueError, catalogueFromVehicles, formatRecordProblem } from "@wye/vehicle-catalogue/server";
import { type Client, DatabaseError } from "pg";
import { backOffMs } from "./back-off.js";
import type { PostgresConnection } from "./client-config.js";
import { openConnection } from "./connection.js";
import { databaseFailure } from "./database-failure.js";
import { Gate } from "./gate.js";
import { HealthRecord } from "./health-record.js";
import { LeftOutReport } from "./left-out-report.js";
import { Looks } from "./looks.js";
import { Occasions } from "./occasions.js";
import { channelOf } from "./schema-name.js";
import { checkMigrated, readVersion, type StoredVersion } from "./stored-version.js";
import { type Copy, type HeldVersion, takeOver } from "./take-over.js";
import { inTransaction } from "./transaction.js";

/** The options of a catalogue, checked and complete. */
export interface FollowerSettings {
  readonly connection: PostgresConnection;
  readonly schema: string;
  readonly pollMs: number;
  readonly timeoutMs: number;
  readonly brandAliases: Readonly<Record<string, string>> | undefined;
  readonly extension: VehicleExtension | undefined;
  readonly leastShare: number;
  readonly logger: Logger;
}

/** Follows one database into memory, over one connection at a time. */
export class Follower {
  readonly health: HealthRecord = new HealthRecord();
  readonly loaded: Gate = new Gate();
  readonly #settings: FollowerSettings;
  readonly #memory: MemoryCatalogue;
  readonly #clock = { now: 0 };
  readonly #leftOut: LeftOutReport;
  /** Why to look, while a connection holds. */
  #occasions = new Occasions();
  /** Why to connect before the back-off is over. */
  readonly #impatience = new Occasions();
  readonly #looks = new Looks();
  /** The version that the memory has. */
  #held: HeldVersion | undefined;
  /** The version that was looked at last; its data may have been refused. */
  #seen: StoredVersion | undefined;
  #refusal: CatalogueError | undefined;
  #isClosing = false;
  #hangUp = new Gate();
  readonly #running: Promise<void>;

  constructor(settings: FollowerSettings) {
    this.#settings = settings;
    const { brandAliases, extension, logger, schema } = settings;
    this.#leftOut = new LeftOutReport(logger, schema);
    this.#memory = catalogueFromVehicles([], {
      ...(brandAliases && { brandAliases }),
      ...(extension && { extension }),
      now: () => this.#clock.now,
    });
    this.#running = this.#run();
  }

  /** What the catalogue in memory understands. */
  get understands(): readonly AdditionalQuery[] {
    return this.#memory.understands ?? [];
  }

  snapshot(): CatalogueSnapshot {
    if (this.#held !== undefined) return this.#memory.snapshot();
    throw new CatalogueError("unavailable", "the vehicles are not loaded yet", { retryAfterMs: 1000 });
  }

  refresh(leastShare?: number): Promise<void> {
    const looked = this.#looks.ask(leastShare);
    this.#wake();
    return looked;
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#hangUp.open();
    this.#wake();
    await this.#running;
  }

  #wake(): void {
    this.#occasions.raise();
    this.#impatience.raise();
  }

  /** Connects again and again until it is closed. */
  async #run(): Promise<void> {
    while (!this.#isClosing) {
      this.#looks.try();
      await this.#session().catch((error: unknown) => this.#lose(error));
      if (!this.#isClosing) await this.#impatience.next(backOffMs(this.health.read().failures));
    }
    this.health.close();
    const closed = new CatalogueError("unavailable", "the catalogue is closed");
    this.loaded.fail(closed);
    this.#looks.end(closed);
  }

  /** Follows the database for as long as one connection holds, and leaves nothing behind that still runs. */
  async #session(): Promise<void> {
    const { connection, timeoutMs } = this.#settings;
    const { client, lost, close } = await openConnection(connection, timeoutMs, this.#hangUp.passed);
    const occasions = new Occasions();
    this.#occasions = occasions;
    client.on("notification", occasions.raise);
    const following = this.#follow(client, occasions);
    try {
      await Promise.race([following, lost, this.#hangUp.passed]);
    } finally {
      await close();
      // Its next query fails, if it has not ended yet.
      occasions.raise();
      await following.catch(() => {});
    }
  }

  async #follow(client: Client, occasions: Occasions): Promise<void> {
    const { schema, timeoutMs } = this.#settings;
    await inTransaction(client, this.#settings, "read", () => checkMigrated(client, schema));
    // What is committed from now on is told; what was before is seen by the look that follows.
    let telling = await this.#listen(client);
    for (let isFirst = true; !this.#isClosing; isFirst = false) {
      if (telling === "not yet" && !(await isStandby(client))) telling = await this.#listen(client);
      const asked = this.#looks.next();
      await this.#compare(client, isFirst, asked?.leastShare).catch((error: unknown) => {
        asked?.fail(databaseFailure(error, timeoutMs));
        throw error;
      });
      if (this.#refusal === undefined) asked?.open();
      else asked?.fail(this.#refusal);
      if (this.#looks.areWaiting) occasions.raise();
      await this.#pause(client, occasions, telling);
    }
  }

  /**
   * Waits for a reason to look, or for the next poll. Where that is far, an empty query every `timeoutMs` finds out whether the connection
   * holds: one that has fallen silent would not tell of changes any more. Where nothing is told, that is when to look.
   */
  async #pause(client: Client, occasions: Occasions, telling: Telling): Promise<void> {
    const { pollMs, timeoutMs } = this.#settings;
    for (let leftMs = telling === "told" ? pollMs : this.#ownPollMs; leftMs > 0; leftMs -= timeoutMs) {
      if (await occasions.next(Math.min(leftMs, timeoutMs))) return;
      if (leftMs > timeoutMs) await client.query("");
    }
  }

  /** How often to look where nothing is told: no rarer than a sign of life is asked for. */
  get #ownPollMs(): number {
    return Math.min(this.#settings.pollMs, this.#settings.timeoutMs);
  }

  /** Asks to be told of changes. Who cannot tell anybody, or not yet, is looked at. */
  async #listen(client: Client): Promise<Telling> {
    const { schema, logger } = this.#settings;
    try {
      await client.query(`listen ${channelOf(schema)}`);
      return "told";
    } catch (error) {
      const telling = error instanceof DatabaseError && refusalsToListen.get(error.code ?? "");
      if (!telling) throw error;
      logger.info(`${schema}: the server tells nobody of changes, and is asked every ${this.#ownPollMs} ms`);
      return telling;
    }
  }

  /** Compares versions, and takes over what changed. */
  async #compare(client: Client, isFirst: boolean, leastShareOnce: number | undefined): Promise<void> {
    const { schema, leastShare } = this.#settings;
    const stored = await inTransaction(client, this.#settings, "read", () => readVersion(client, schema));
    const isAskedAgain = leastShareOnce !== undefined && this.#refusal?.code === "shrunk";
    if (stored.token !== this.#seen?.token || isAskedAgain) {
      // After any break everything is read.
      await this.#load(client, isFirst ? undefined : this.#held, leastShareOnce ?? leastShare);
    }
    if (this.#refusal === undefined) {
      this.health.confirm();
      this.loaded.open();
    }
  }

  /** Takes the data over. Data of which nothing is right, or too little, are refused and reported; what is there stays. */
  async #load(client: Client, since: HeldVersion | undefined, leastShare: number): Promise<void> {
    const { schema, timeoutMs, logger, extension } = this.#settings;
    const copy: Copy = { memory: this.#memory, clock: this.#clock, place: { schema, timeoutMs }, extension };
    const { version, outcome } = await takeOver(copy, client, since, leastShare);
    this.#seen = version;
    if (outcome instanceof CatalogueError) {
      this.#refusal = outcome.code === "shrunk" ? withRemedy(outcome, leastShare) : outcome;
      this.#fail(this.#refusal);
      return;
    }
    this.#refusal = undefined;
    this.#held = version;
    const { overallCount } = this.#memory.snapshot().find({ offset: 0, limit: 0 });
    this.health.load(overallCount);
    const { problems, omitted } = outcome;
    this.#leftOut.tell(outcome);
    const count = problems.length + omitted.problems;
    logger.info(`${schema}: version ${version.number}, ${overallCount} vehicles, ${count} problems`);
    for (const problem of problems.slice(0, shownProblems))
      logger.warn(`${schema}: ${formatRecordProblem(problem)}`);
  }

  /** The database cannot be asked: those who asked before it was tried learn of it. */
  #lose(error: unknown): void {
    const failure = databaseFailure(error, this.#settings.timeoutMs);
    this.#fail(failure);
    this.#looks.fail(failure);
  }

  #fail({ message: problem }: Error): void {
    if (this.#isClosing) return;
    // The same again is not told again.
    if (problem !== this.health.read().problem)
      this.#settings.logger.error(`${this.#settings.schema}: ${problem}`);
    this.health.fail(problem);
  }
}

/** Whether changes are told of; a standby can be read, and tells of them when it takes over. */
type Telling = "told" | "not yet" | "never";

/** A transaction that may only read, and a feature that there is not. */
const refusalsToListen: ReadonlyMap<string, Telling> = new Map([
  ["25006", "not yet"],
  ["0A000", "never"],
]);

/** Asked before an order that a standby refuses: each refusal is a line in its log. */
async function isStandby(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ is_standby: boolean }>("select pg_is_in_recovery() as is_standby");
  return rows[0]?.is_standby !== false;
}

/** How many wrong records are told of one by one. */
const shownProblems = 10;

function withRemedy({ code, message, problems }: CatalogueError, leastShare: number): CatalogueError {
  const remedy = `leastShare: ${leastShare}; refresh({ leastShare: 0 }) takes them nevertheless`;
  return new CatalogueError(code, `${message} (${remedy})`, { problems });
}
