import { appendFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { archiveEntries, archiveOf, checksumOf, tarHead, tarOf } from "../../../scripts/make-archive.js";
import type { OfflineContext } from "../src/offline/offline-source.js";
import { changeFromJson } from "../src/sources/change-from-event.js";
import { announced } from "./start-auto-configured.js";
import { startOffline } from "./start-offline.js";
import { flag } from "./start-relay.js";

const dataOf = (version: number) => ({ flags: { a: flag("a", version) }, segments: {} });
const one = (version = 1, rest: object = {}) => ({ env: announced(1, rest), data: dataOf(version) });
const two = (version = 1, rest: object = {}) => ({ env: announced(2, rest), data: dataOf(version) });
const alice = Buffer.from('{"kind":"user","key":"alice"}').toString("base64url");

describe("an archive", () => {
  for (const [name, pack] of [
    ["compressed", (entries: Parameters<typeof tarOf>[0]) => gzipSync(tarOf(entries))],
    ["not compressed", tarOf],
  ] as const) {
    test(`${name}: its environments are served under their IDs, and nothing is asked of upstream`, async () => {
      const relay = await startOffline("a.tar.gz", pack(archiveEntries([one(3), two(4)])));
      expect(relay.relay.status()).toMatchObject({
        status: "healthy",
        configurationStatus: { state: "VALID" },
        environments: {
          "env-1": { envName: "Name 1", status: "connected", connectionStatus: { state: "VALID" } },
          "env-2": { envName: "Name 2", status: "connected" },
        },
      });
      expect([await relay.poll("sdk-1"), await relay.poll("sdk-2")]).toEqual([{ a: 3 }, { a: 4 }]);
      const evaluated = await relay.fetch("GET", `/sdk/evalx/env-2/contexts/${alice}`);
      expect(JSON.parse(evaluated.body)).toMatchObject({ a: { value: true, version: 4 } });
      expect(relay.upstream.streamRequests).toEqual([]);
    });
  }

  test("events are taken and sent nowhere, and there are no goals", async () => {
    const relay = await startOffline("a.tar.gz", archiveOf(one()));
    const post = { headers: { authorization: "sdk-1", "content-type": "application/json" }, body: "[]" };
    expect((await relay.fetch("POST", "/bulk", post)).status).toBe(202);
    expect((await relay.fetch("POST", "/diagnostic", { ...post, body: "{}" })).status).toBe(202);
    expect((await relay.fetch("POST", "/events/bulk/env-1", { body: "[]" })).status).toBe(202);
    expect((await relay.fetch("GET", "/a/env-1.gif?d=W10=")).status).toBe(200);
    expect(await relay.fetch("GET", "/sdk/goals/env-1")).toMatchObject({ status: 200, body: "[]" });
    await relay.relay.close();
    expect(await relay.upstream.takePosts()).toEqual([]);
    expect(relay.upstream.goalsRequests).toEqual([]);
  });

  test("without environments it is a healthy relay without any", async () => {
    const relay = await startOffline("a.tar", tarOf([{ name: "checksum.md5", contents: checksumOf([]) }]));
    expect(relay.relay.status()).toMatchObject({ status: "healthy", environments: {} });
    expect(await relay.poll("sdk-1")).toBe(401);
  });

  test("other files, folders and links in it are passed over, and long names are read", async () => {
    const long = `${"folder/".repeat(20)}file.json`;
    const relay = await startOffline(
      "a.tar",
      tarOf([
        { name: "./", contents: "", type: "5" },
        { name: "readme.txt", contents: "x".repeat(600) },
        { name: "sub/other.json", contents: "not looked at" },
        { name: "link.json", contents: "", type: "2" },
        { name: "pax", contents: `${long.length + 10} path=${long}\n`, type: "x" },
        { name: "short.json", contents: "not looked at" },
        { name: "long", contents: `${long}\0`, type: "L" },
        { name: "short.json", contents: "not looked at" },
        ...archiveEntries([one()]).map((entry) => ({ ...entry, name: `./${entry.name}` })),
      ]),
    );
    expect(relay.errors).toEqual([]);
    expect(await relay.poll("sdk-1")).toEqual({ a: 1 });
  });

  test("one environment that is broken is passed over, and the others are served", async () => {
    const broken = { env: announced(3, { version: "x" }), data: dataOf(1) };
    const noFlags = { env: announced(4), data: '{"flags":{"a":5}}' };
    const relay = await startOffline("a.tar", archiveOf(one(), broken, noFlags));
    const { environments } = relay.relay.status();
    expect(Object.entries(environments).map(([name, { status }]) => [name, status])).toEqual([
      ["env-1", "connected"],
      ["env-3", "disconnected"],
      ["env-4", "disconnected"],
    ]);
    expect(relay.errors.map(({ message }) => message.slice(relay.path.length))).toEqual([
      ': environment "env-3": "version" is not a whole number',
      ': environment "env-4": "a": expected an object, got a number',
    ]);
  });
});

const good = archiveOf(one(1));
const entries = archiveEntries([one(9)]);
const bomb = Buffer.concat([tarHead("bomb.txt", 80_000_000), Buffer.alloc(80_000_384), tarOf(entries)]);
const refused: { name: string; contents: Buffer; says: string; maxBytes?: number }[] = [
  { name: "an empty one", contents: Buffer.alloc(0), says: "is empty" },
  {
    name: "one that is cut off",
    contents: good.subarray(0, good.length / 2),
    says: "unexpected end of file",
  },
  { name: "a tar that is cut off", contents: tarOf(entries).subarray(0, 700), says: "it is cut off" },
  {
    name: "a damaged head",
    contents: damaged(tarOf(entries), 1030),
    says: "is not a tar archive, or is damaged",
  },
  {
    name: "damaged contents",
    contents: damaged(tarOf(entries), 530),
    says: "the checksum of the archive is not",
  },
  { name: "damaged compression", contents: damaged(good, 40), says: "the archive cannot be read" },
  {
    name: "no checksum",
    contents: tarOf(entries.filter(({ name }) => name !== "checksum.md5")),
    says: "the archive has no checksum.md5",
  },
  {
    name: "an environment without flags",
    contents: tarOf(entries.filter(({ name }) => name !== "env-1-data.json")),
    says: 'the archive has no "env-1-data.json"',
  },
  {
    name: "a name that leads out of it",
    contents: tarOf([{ name: "../../etc/cron.d/x", contents: "x" }, ...entries]),
    says: 'it has the file "../../etc/cron.d/x", which would be outside of the archive',
  },
  {
    name: "an absolute name",
    contents: tarOf([{ name: "/etc/passwd", contents: "x" }, ...entries]),
    says: "outside of the archive",
  },
  { name: "a file twice", contents: tarOf([...entries, ...entries]), says: "twice" },
  {
    name: "a file that is too large",
    contents: Buffer.concat([tarHead("env-9.json", 200 * 1024 * 1024), Buffer.alloc(1024)]),
    says: 'it has a file "env-9.json" with 209715200 bytes; the limit is 209715200',
  },
  {
    name: "a small file that is large when it is unpacked",
    contents: gzipSync(bomb, { level: 1 }),
    says: "unpacked it has more than 4000000 bytes",
    maxBytes: 4_000_000,
  },
  {
    name: "more bytes than allowed",
    contents: Buffer.concat([tarOf(entries), Buffer.alloc(4_000_000)]),
    says: "maxBytes is 4000000",
    maxBytes: 4_000_000,
  },
  { name: "something else", contents: Buffer.from([0xff, 0xfe, 0, 1, 2, 3]), says: "is neither an archive" },
];

function damaged(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = (copy[at] ?? 0) ^ 0xff;
  return copy;
}

describe("a file that cannot be used", () => {
  for (const { name, contents, says, maxBytes } of refused) {
    test(`${name}: is refused at the start, and a good one is taken later`, async () => {
      const relay = await startOffline("a.tar.gz", contents, maxBytes === undefined ? {} : { maxBytes });
      expect(relay.errors).toMatchObject([
        { code: "malformed_data", message: expect.stringContaining(says) },
      ]);
      expect(relay.relay.status()).toMatchObject({
        status: "degraded",
        configurationStatus: {
          state: "INITIALIZING",
          lastError: { kind: expect.stringMatching(/INVALID|UNKN/) },
        },
      });
      expect(await relay.poll("sdk-1")).toBe(503);
      await relay.replace(archiveOf(one(2)));
      await relay.until(async () => (await relay.poll("sdk-1")) !== 503);
      expect(await relay.poll("sdk-1")).toEqual({ a: 2 });
      expect(relay.relay.status()).toMatchObject({
        status: "healthy",
        configurationStatus: { state: "VALID" },
      });
    });
  }

  test("leaves the old data as they are, told once, and the next good one is taken", async () => {
    const relay = await startOffline("a.tar.gz", good);
    for (const { contents, says, maxBytes } of refused) {
      if (maxBytes !== undefined) continue;
      const told = relay.errors.length;
      await relay.replace(contents);
      await relay.until(() => relay.errors.length > told);
      expect(relay.errors.at(-1)?.message).toContain(says);
      expect(await relay.poll("sdk-1")).toEqual({ a: 1 });
      expect(relay.relay.status()).toMatchObject({
        status: "healthy",
        configurationStatus: { state: "INTERRUPTED", lastError: { kind: "INVALID_DATA" } },
      });
    }
    await relay.replace(good);
    await relay.until(() => relay.relay.status().configurationStatus?.state === "VALID");
    await relay.replace(archiveOf(one(5)));
    await relay.until(async () => JSON.stringify(await relay.poll("sdk-1")) === '{"a":5}');
  });

  test("a file that is not there yet, and one that goes away and comes back", async () => {
    const relay = await startOffline("a.tar.gz", undefined);
    expect(relay.errors).toMatchObject([{ message: expect.stringContaining("ENOENT") }]);
    await writeFile(relay.path, good);
    await relay.until(async () => (await relay.poll("sdk-1")) !== 503);
    await rm(relay.path);
    await relay.until(() => relay.relay.status().configurationStatus?.state === "INTERRUPTED");
    expect(await relay.poll("sdk-1")).toEqual({ a: 1 });
    await writeFile(relay.path, archiveOf(one(2)));
    await relay.until(async () => JSON.stringify(await relay.poll("sdk-1")) === '{"a":2}');
    expect(relay.errors).toHaveLength(2);
  });
});

describe("a file that changes", () => {
  test("in place, piece by piece: it is read when it is whole", async () => {
    const relay = await startOffline("a.tar.gz", good);
    const next = archiveOf(one(2), two(2));
    await writeFile(relay.path, "");
    for (let at = 0; at < next.length; at += 60) await appendFile(relay.path, next.subarray(at, at + 60));
    await relay.until(async () => JSON.stringify(await relay.poll("sdk-1")) === '{"a":2}');
    expect(await relay.poll("sdk-2")).toEqual({ a: 2 });
  });

  test("while others write beside it", async () => {
    const relay = await startOffline("a.tar.gz", good);
    await relay.replace(archiveOf(one(2)));
    const log = join(dirname(relay.path), "log");
    await relay.until(async () => {
      await appendFile(log, "a line\n");
      return JSON.stringify(await relay.poll("sdk-1")) === '{"a":2}';
    });
  });

  test("all the time: it is read all the same", async () => {
    const relay = await startOffline("a.tar.gz", good);
    let version = 1;
    await relay.until(async () => {
      await relay.replace(archiveOf(one(++version)));
      return JSON.stringify(await relay.poll("sdk-1")) !== '{"a":1}';
    });
  });

  test("flags, names, keys and environments: streams that are still allowed stay open", async () => {
    const relay = await startOffline("a.tar.gz", archiveOf(one(1), two(1)));
    const [first, second] = await Promise.all(
      ["sdk-1", "sdk-2"].map((authorization) => relay.open("/all", { headers: { authorization } })),
    );
    await Promise.all([first?.next(), second?.next()]);
    const renamed = one(2, { version: 2, envName: "Renamed", mobKey: "mob-new" });
    await relay.replace(archiveOf(renamed, { env: announced(3), data: dataOf(7) }));
    let told: string | undefined;
    void first?.next().then(({ data }) => {
      told = data;
    });
    await relay.until(() => told !== undefined);
    expect(JSON.parse(told ?? "").data).toMatchObject({ key: "a", version: 2 });
    await second?.ended;
    expect(relay.relay.status().environments["env-1"]?.envName).toBe("Renamed");
    expect([await relay.poll("sdk-2"), await relay.poll("sdk-3")]).toEqual([401, { a: 7 }]);
    first?.close();
  });

  test("an environment that has become broken stays as it was", async () => {
    const relay = await startOffline("a.tar.gz", archiveOf(one(1), two(1)));
    await relay.replace(archiveOf(one(2), { env: announced(2), data: '{"flags":[]}' }));
    await relay.until(async () => JSON.stringify(await relay.poll("sdk-1")) === '{"a":2}');
    expect(await relay.poll("sdk-2")).toEqual({ a: 1 });
    await relay.replace(archiveOf(one(3), two(3)));
    await relay.until(async () => JSON.stringify(await relay.poll("sdk-2")) === '{"a":3}');
  });

  test("a key that expires is accepted until then, as in automatic configuration", async () => {
    const relay = await startOffline("a.tar.gz", good);
    const expiring = { value: "sdk-1", timestamp: relay.clock.now() + 3_600_000 };
    await relay.replace(archiveOf(one(1, { version: 2, sdkKey: { value: "sdk-9", expiring } })));
    await relay.until(async () => (await relay.poll("sdk-9")) !== 401);
    expect(await relay.poll("sdk-1")).toEqual({ a: 1 });
    relay.clock.advance(3_600_000);
    expect([await relay.poll("sdk-1"), await relay.poll("sdk-9")]).toEqual([401, { a: 1 }]);
  });
});

test("a relay that is closed looks at its file no more", async () => {
  const relay = await startOffline("a.tar.gz", good);
  await relay.relay.close({ within: 0 });
  await relay.until(() => relay.clock.pending === 0);
  expect(relay.errors).toEqual([]);
});

test("what the file has may be heard from elsewhere: environments, their flags, and that it cannot be used", async () => {
  let heard: OfflineContext | undefined;
  let closed = 0;
  const relay = await startOffline("a.tar.gz", undefined, {
    contents(context) {
      heard = context;
      context.sink.interrupted("UNKNOWN", "nothing was read yet");
      return { close: () => void closed++ };
    },
  });
  const { sink, file } = heard as unknown as OfflineContext;
  expect([file, await relay.poll("sdk-1")]).toEqual([relay.path, 503]);
  const options = { furtherSdkKeys: [], secureMode: false, ttl: 0, about: {}, filters: [] };
  const none = { environments: new Map(), flags: new Map(), broken: new Map(), problems: [] };
  const flagsOf = (version: number) => new Map([["one", changeFromJson(JSON.stringify(dataOf(version)))]]);
  await sink.apply({
    ...none,
    environments: new Map([["one", { ...options, sdkKey: "sdk-1" }]]),
    flags: flagsOf(2),
  });
  expect(await relay.poll("sdk-1")).toEqual({ a: 2 });
  // Also a version that goes back: it is what there is.
  await sink.apply({ ...none, flags: flagsOf(1) });
  expect(await relay.poll("sdk-1")).toEqual({ a: 1 });
  sink.interrupted("INVALID_DATA", "line 3 is wrong");
  expect(relay.errors.map(({ message }) => message)).toEqual(["nothing was read yet", "line 3 is wrong"]);
  expect(relay.relay.status().configurationStatus).toMatchObject({ state: "INTERRUPTED" });
  await sink.apply(none);
  expect(relay.relay.status().configurationStatus).toMatchObject({ state: "VALID" });
  await sink.apply({ ...none, environments: new Map([["one", undefined]]) });
  expect(await relay.poll("sdk-1")).toBe(401);
  await relay.relay.close({ within: 0 });
  expect(closed).toBe(1);
});
