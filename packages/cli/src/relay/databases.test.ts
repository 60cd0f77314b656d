import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseItem } from "@wye/relay";
import { createStoreContext, type StoreContextOptions } from "@wye/relay/testing";
import { expect, onTestFinished, test } from "vitest";
import { loadConfig } from "./config/load-config.js";
import { storesFrom } from "./databases.js";

const never = new AbortController().signal;

test("a worker that keeps nothing takes no flags out of the folder either, whoever they were of", async () => {
  const cwd = await mkdtemp(join(tmpdir(), "workers-"));
  onTestFinished(() => rm(cwd, { recursive: true }));
  const { config } = await loadConfig({ cwd, readText: async () => "[Wye]\ndataFolder = data\n" });
  const storeOf = async (worker: number, options: StoreContextOptions) => {
    const { store } = await storesFrom(config, cwd, () => config, worker);
    if (store === undefined) throw new Error("there is no store");
    return store(createStoreContext(options));
  };
  // The environment begins anew in both, in the first one earlier.
  const anew = { isStale: true, keyDigests: () => ["second"] };
  const first = await storeOf(1, anew);
  const items = [parseItem("flags", "a", '{"version":1}')];
  await first.replace(items, never);
  const other = await storeOf(2, anew);
  expect(await other.read(never)).toBeUndefined();
  await other.replace([], never);
  await other.noteKeys?.(never);
  expect(await other.upsert(items, never)).toEqual([]);
  await other.close();
  expect(await readdir(join(cwd, "data"))).toHaveLength(1);
  const again = await storeOf(2, { keyDigests: () => ["second"] });
  expect(await again.read(never)).toEqual(items);
});

/** Where a configuration keeps the flags and the members of an environment, and after which time they are read again. */
async function keptBy(text: string, context: StoreContextOptions = {}, later = text) {
  const configOf = async (one: string) => (await loadConfig({ cwd: "/", readText: async () => one })).config;
  const [config, current] = [await configOf(text), await configOf(later)];
  const { store, bigSegments } = await storesFrom(config, "/", () => current);
  const [flags, members] = [store?.(createStoreContext(context)), bigSegments?.(createStoreContext(context))];
  await Promise.all([flags?.close(), members?.close()]);
  return { flags: flags?.about, members: members?.about, ttl: flags?.cacheTtlMs };
}

test("without a database flags are kept nowhere", async () => {
  expect(await keptBy('[Environment "a"]\nsdkKey = k\n')).toEqual({});
});

const redis = (dbServer: string, dbPrefix = "launchdarkly") => ({ database: "redis", dbServer, dbPrefix });

test.each([
  ["host = h", "redis://h:6379"],
  ["host = h\nport = 9", "redis://h:9"],
  ["url = redis://h:9/2", "redis://h:9/2"],
  ["url = rediss://h", "rediss://h"],
  ["host = h\ntls = true", "rediss://h:6379"],
  ["url = REDIS://h\ntls = true", "rediss://h"],
  ["url = rediss://h\ntls = true", "rediss://h"],
  ["url = redis://:p@h", "redis://:xxxxx@h"],
  ["host = h\nusername = u\npassword = p", "redis://h:6379"],
])("a Redis of %j is at %s, with flags and members", async (lines, server) => {
  const about = redis(server);
  expect(await keptBy(`[Redis]\n${lines}\n`)).toEqual({ flags: about, members: about });
});

test("Redis is told the user and the password, and refuses one without the other", async () => {
  await expect(keptBy("[Redis]\nhost = h\nusername = u\n")).rejects.toThrow("username needs a password");
});

test.each([
  ["host = h", "http://h:8500"],
  ["host = h:9", "http://h:9"],
  ["host = https://h", "https://h"],
  ["host = http://h:9", "http://h:9"],
])("a Consul of %j is at %s, and has no members", async (lines, dbServer) => {
  const flags = { database: "consul", dbServer, dbPrefix: "launchdarkly" };
  for (const more of ["", "token = t\n", "tokenFile = f\n"])
    expect(await keptBy(`[Consul]\n${lines}\n${more}`)).toEqual({ flags });
});

test.each([
  ["", undefined],
  ["token = t", "t"],
  ["tokenFile = f", "of-the-file"],
])("a Consul with %j is shown the token %j", async (line, token) => {
  const asked: unknown[] = [];
  const server = createServer(({ headers }, response) => {
    asked.push(headers["x-consul-token"]);
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cwd = await mkdtemp(join(tmpdir(), "consul-"));
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await rm(cwd, { recursive: true });
  });
  await writeFile(join(cwd, "f"), "of-the-file\n");
  const { port } = server.address() as AddressInfo;
  const text = `[Consul]\nhost = 127.0.0.1:${port}\n${line}\n`;
  const { config } = await loadConfig({ cwd, readText: async () => text });
  const { store } = await storesFrom(config, cwd, () => config);
  const opened = await store?.(createStoreContext());
  expect(await opened?.read(never)).toBeUndefined();
  await opened?.close();
  expect(new Set(asked)).toEqual(new Set([token]));
});

test("a DynamoDB has its table, and prefixes only where there are some", async () => {
  const about = { database: "dynamodb", dbServer: "http://d:1", dbTable: "all" };
  const dynamo = "[DynamoDB]\nenabled = true\ntableName = all\nurl = http://d:1\n";
  const own = '[Environment "a"]\nsdkKey = k\nprefix = p\ntableName = own\n';
  const at = async (text: string, environment: string) => keptBy(text, { environment });
  expect(await at(dynamo, "a")).toEqual({ flags: about, members: about });
  const ofA = { ...about, dbPrefix: "p", dbTable: "own" };
  expect(await at(dynamo + own, "a")).toEqual({ flags: ofA, members: ofA });
  expect(await at(dynamo + own, "b")).toEqual({ flags: about, members: about });
});

test.each([
  ["", undefined],
  ["localTtl = -1s", undefined],
  ["localTtl = 0s", 1000],
  ["localTtl = 999ms", 1000],
  ["localTtl = 1001ms", 1001],
  ["localTtl = 1h", 3_600_000],
])("with %j flags are read again after %s ms", async (line, ttl) => {
  for (const section of ["Redis", "Consul"])
    expect((await keptBy(`[${section}]\nhost = h\n${line}\n`)).ttl).toBe(ttl);
  expect((await keptBy(`[DynamoDB]\nenabled = true\ntableName = all\n${line}\n`)).ttl).toBe(ttl);
});

const places = [
  '[Environment "a"]\nsdkKey = k\nprefix = pa\nprojKey = p\n',
  '[Environment "a/b"]\nsdkKey = l\nprefix = pab\nprojKey = p\n',
  '[Environment "c"]\nsdkKey = m\nprojKey = p\n[Filters "p"]\nkeys = web\n',
].join("");

test.each<[StoreContextOptions, string]>([
  [{ environment: "a" }, "pa"],
  [{ environment: "a/web", filter: "web" }, "pa/web"],
  [{ environment: "a/b" }, "pab"],
  [{ environment: "a/b/web", filter: "web" }, "pab/web"],
  [{ environment: "c" }, "launchdarkly"],
  [{ environment: "c/web", filter: "web" }, "launchdarkly/web"],
  [{ environment: "gone" }, "launchdarkly"],
])("the place of %j is that of the environment, or of all", async (context, dbPrefix) => {
  const { flags } = await keptBy(`[Redis]\nhost = h\n${places}`, context);
  expect(flags).toEqual(redis("redis://h:6379", dbPrefix));
});

test.each([
  ["[AutoConfig]\nkey = rel\nenvDatastorePrefix = p-$CID\n", "p-id"],
  ["[OfflineMode]\nfileDataSource = f\nenvDatastorePrefix = o-$CID\n", "o-id"],
  [
    "[AutoConfig]\nkey = rel\n[OfflineMode]\nfileDataSource = f\nenvDatastorePrefix = o-$CID\n",
    "launchdarkly",
  ],
])("what is announced has the places of the mode: %j", async (mode, dbPrefix) => {
  const { flags } = await keptBy(`[Redis]\nhost = h\n${mode}`, { envId: "id" });
  expect(flags?.dbPrefix).toBe(dbPrefix);
});

test("an environment may have come with a later configuration", async () => {
  const later = '[Redis]\nhost = other\n[Environment "new"]\nsdkKey = k\nprefix = n\n';
  const { flags, members } = await keptBy("[Redis]\nhost = h\n", { environment: "new" }, later);
  const about = redis("redis://h:6379", "n");
  expect([flags, members]).toEqual([about, about]);
});
