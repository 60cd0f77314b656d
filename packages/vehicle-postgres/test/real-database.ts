import { afterAll, beforeAll, onTestFinished, vi } from "vitest";
import {
  createPostgresCatalogue,
  importVehicles,
  migrate,
  type PostgresCatalogue,
  type PostgresCatalogueOptions,
} from "../src/index.js";
import { type PostgresServer, startPostgres } from "./postgres-server.js";
import { type TcpProxy, tcpProxy } from "./tcp-proxy.js";

/** The server of a test file, and what its tests begin with. */
export interface RealDatabase {
  readonly server: PostgresServer;
  /** A schema of its own, migrated, with these vehicles. */
  schemaWith(vehicles: readonly unknown[]): Promise<string>;
  /** Follows a schema until the test ends. */
  follow(schema: string, options?: Partial<PostgresCatalogueOptions>): PostgresCatalogue;
  /** A way to the server that can be blocked, until the test ends. */
  way(): Promise<TcpProxy>;
}

let schemas = 0;

/** Starts a server before the tests of a file, and ends it after them. */
export function realDatabase(): RealDatabase {
  let server: PostgresServer | undefined;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.remove());
  const started = (): PostgresServer => {
    if (server === undefined) throw new Error("the server is not started yet");
    return server;
  };
  return {
    get server() {
      return started();
    },
    async schemaWith(vehicles) {
      const schema = `test_${schemas++}`;
      await migrate(started().connection, { schema, trigrams: true });
      await importVehicles(started().connection, vehicles, { schema });
      return schema;
    },
    follow(schema, options = {}) {
      const { connection } = started();
      const catalogue = createPostgresCatalogue({ connection, schema, ...options });
      onTestFinished(() => catalogue.close());
      return catalogue;
    },
    async way() {
      const proxy = await tcpProxy(started().connection);
      onTestFinished(() => proxy.close());
      return proxy;
    },
  };
}

/** Waits until a condition holds; machines may be slow. */
export function until(condition: () => unknown): Promise<void> {
  return vi.waitFor(
    async () => {
      await condition();
    },
    { timeout: 120_000, interval: 10 },
  );
}

/** How many vehicles a catalogue answers with. */
export async function countOf(catalogue: Pick<PostgresCatalogue, "snapshot">): Promise<number> {
  const snapshot = await catalogue.snapshot();
  return (await snapshot.find({ offset: 0, limit: 1 })).overallCount;
}

/** All that a generator gives. */
export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}
