import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RuntimeArtifact } from "@wye/pipeline-spec";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { ArtifactAccess } from "./artifact-access.js";

const uri = "gs://bucket/a";
const artifact = { name: "a", uri } as RuntimeArtifact;

/** Access to a store that does this for each fetch, one after the other, the last one for ever. */
async function setUp(...fetches: ((path: string) => void | Promise<void>)[]) {
  const folder = await mkdtemp(join(tmpdir(), "wye-access-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  let asked = 0;
  const store = {
    fetch: async (_: string, path: string) => fetches[Math.min(asked++, fetches.length - 1)]?.(path),
  };
  const access = new ArtifactAccess(folder, { gs: store });
  const warnings: string[] = [];
  const warn = (message: string) => void warnings.push(message);
  const bring = (signal = new AbortController().signal) => access.bring(artifact, { signal, warn });
  return { access, bring, folder, asked: () => asked, warnings };
}

afterEach(() => void vi.useRealTimers());

const put = (path: string) => writeFileSync(path, "data");

test("what has been fetched is there, whole, and is not fetched again", async () => {
  const { access, bring, folder, asked } = await setUp(put);
  await Promise.all([bring(), bring()]);
  await bring();
  expect(asked()).toBe(1);
  expect(readFileSync(String(access.pathOf(artifact)), "utf8")).toBe("data");
  expect(readdirSync(folder)).toHaveLength(1);
  // Another run in this folder has it as well.
  await new ArtifactAccess(folder, { gs: { fetch: () => Promise.reject(new Error("asked")) } }).bring(
    artifact,
    {
      signal: new AbortController().signal,
      warn() {},
    },
  );
});

test("a fetch that fails leaves nothing behind, and is tried anew for whoever asks next", async () => {
  const { access, bring, folder, asked } = await setUp(
    (path) => {
      put(path);
      throw new Error("half of it");
    },
    () => {},
    put,
  );
  const refused = (reason: string) =>
    expect(bring()).rejects.toThrow(`the artifact ${uri} cannot be fetched: ${reason}`);
  await refused("half of it");
  expect(readdirSync(folder)).toEqual([]);
  await refused("the store has put nothing at the path that it was given");
  await bring();
  expect([asked(), existsSync(String(access.pathOf(artifact)))]).toEqual([3, true]);
});

test("a folder of which half was fetched is removed, and the failure has its cause", async () => {
  const cause = new Error("half of it");
  const { bring, folder } = await setUp((path) => {
    mkdirSync(path);
    put(join(path, "one"));
    throw cause;
  });
  await expect(bring()).rejects.toMatchObject({ cause });
  expect(readdirSync(folder)).toEqual([]);
});

test("all artifacts of a list are fetched, and named by where they are", async () => {
  const { access, asked } = await setUp(put);
  const artifacts = ["a", "b"].map((name) => ({ name, uri: `gs://bucket/${name}` }) as RuntimeArtifact);
  const signal = new AbortController().signal;
  const found = await access.bringAll({ list: { artifacts } }, { signal, warn() {} });
  const paths = found.list?.artifacts.map((one) => one.uri) ?? [];
  expect(paths).toEqual(artifacts.map(access.pathOf));
  expect([asked(), ...paths.map((path) => readFileSync(path, "utf8"))]).toEqual([2, "data", "data"]);
});

test("what a fetch before has left half done is not taken, and goes", async () => {
  const { access, bring, folder } = await setUp(put);
  const path = String(access.pathOf(artifact));
  writeFileSync(`${path}.part-old`, "half");
  await bring();
  expect(readdirSync(folder).map((name) => join(folder, name))).toEqual([path]);
});

/** How a fetch ended: `brought`, or why not. */
const outcomeOf = (fetch: Promise<void>) =>
  fetch.then(
    () => "brought",
    (error: Error) => error.message,
  );

/** A store that writes what it is asked for when `end` is called. */
function slowStore() {
  let end = () => {};
  const fetch = (path: string) =>
    new Promise<void>((resolve) => {
      end = () => {
        put(path);
        resolve();
      };
    });
  return { fetch, end: () => end() };
}

const givenUp = `the store of ${uri} has not ended 5 s after it was told to, and was given up`;

test.each<[string, (path: string) => void | Promise<void>, string]>([
  ["has brought something", put, "brought"],
  ["has failed", () => Promise.reject(new Error("gone")), "gone"],
])("of a store that %s nobody waits any more when the run is cancelled later", async (_, fetch, said) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { bring, warnings } = await setUp(fetch);
  const user = new AbortController();
  const outcome = await outcomeOf(bring(user.signal));
  user.abort();
  expect([vi.getTimerCount(), warnings, outcome]).toEqual([0, [], expect.stringContaining(said)]);
});

test.each<[string, number, string, readonly string[]]>([
  ["is not given up before its time, and nothing is left of it", 4999, "aborted", []],
  ["is given up then", 5000, givenUp, [givenUp]],
])("a store that goes on when the run is cancelled %s", async (_, waitMs, reason, told) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { fetch, end } = slowStore();
  const { bring, warnings, asked, folder } = await setUp(fetch);
  const user = new AbortController();
  const outcome = outcomeOf(bring(user.signal));
  while (asked() === 0) await new Promise(setImmediate);
  user.abort();
  await vi.advanceTimersByTimeAsync(waitMs);
  end();
  expect(await outcome).toMatch(new RegExp(`^the artifact ${uri} cannot be fetched: .*${reason}`));
  expect([vi.getTimerCount(), warnings]).toEqual([0, told]);
  await expect.poll(() => readdirSync(folder)).toEqual([]);
});

test("what one gives up that was cancelled before it asked, another gets who asked first", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { fetch, end } = slowStore();
  const { bring, asked } = await setUp(fetch);
  const first = outcomeOf(bring());
  while (asked() === 0) await new Promise(setImmediate);
  const second = outcomeOf(bring(AbortSignal.abort()));
  await vi.advanceTimersByTimeAsync(5000);
  expect(await second).toContain(givenUp);
  end();
  expect([await first, asked()]).toEqual(["brought", 1]);
});

test("a store is asked for nothing once the run is cancelled", async () => {
  const { bring, asked, folder } = await setUp(put);
  expect(await outcomeOf(bring(AbortSignal.abort()))).toContain("aborted");
  expect([asked(), readdirSync(folder)]).toEqual([0, []]);
});
