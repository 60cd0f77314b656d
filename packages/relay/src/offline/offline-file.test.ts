import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { archiveOf } from "../../../../scripts/make-archive.js";
import { malformedData } from "../error.js";
import { createManualClock } from "../testing/manual-clock.js";
import { offlineFile } from "./offline-file.js";
import type { OfflineContext } from "./offline-source.js";

const own = { sdkKey: "sdk-own" };
const named = (...keys: readonly string[]) =>
  `flags: { a: 1 }\nenvironments: {${keys.map((key) => ` ${key}: { sdkKey: sdk-${key} }`).join(",")} }`;

/** A file that is looked at as often as the test says; `said` is what comes of it. */
async function setUp(contents: string | Buffer, more: Partial<OfflineContext> = {}) {
  const folder = await mkdtemp(join(tmpdir(), "offline-file-"));
  const file = join(folder, "flags");
  const put = async (next: string | Buffer) => {
    await writeFile(`${file}.new`, next);
    await rename(`${file}.new`, file);
  };
  await put(contents);
  const clock = createManualClock();
  const said: unknown[] = [];
  const say = (line: string) => said.push(line);
  const source = offlineFile({
    file,
    checkMs: 100,
    maxBytes: 10_000_000,
    keys: undefined,
    clock,
    logger: { debug() {}, info: say, warn: say, error: say },
    sink: {
      async apply({ environments, flags, broken, problems }) {
        said.push({
          environments: [...environments].map(([name, one]) => (one === undefined ? `no ${name}` : name)),
          flags: [...flags.keys()],
          broken: [...broken.keys()],
          problems,
        });
        await new Promise(setImmediate);
        if (environments.has("refused")) throw malformedData("cannot be served");
      },
      interrupted: (kind, message) => said.push([kind, message]),
    },
    ...more,
  });
  onTestFinished(async () => {
    source.close();
    await rm(folder, { recursive: true });
  });
  const looked = async () => {
    while (clock.pending === 0) await new Promise(setImmediate);
  };
  /** Lets so much time pass, look by look. */
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 100) {
      clock.advance(100);
      await looked();
    }
  };
  return { file, put, said, source, clock, looked, pass };
}

const applied = (more: object) => ({ environments: [], flags: [], broken: [], problems: [], ...more });

test("a file without keys of before is taken five seconds after that was seen, and new keys wait for it", async () => {
  const { said, put, looked, pass, file } = await setUp(named("one", "two"));
  await looked();
  expect(said.splice(0)).toEqual([applied({ environments: ["one", "two"], flags: ["one", "two"] })]);
  await put(named("two", "three"));
  await pass(200);
  expect(said.splice(0)).toEqual([
    `[offline] ${file}: keys of "one" are not in it any more; it is taken when they have been missing for 5 s`,
    applied({ broken: ["three"] }),
  ]);
  await pass(4900);
  expect(said).toEqual([]);
  await pass(100);
  expect(said).toEqual([applied({ environments: ["three", "no one"], flags: ["three"] })]);
});

test("of keys that go one after the other each is told of once, and has its own time", async () => {
  const { said, put, looked, pass, file } = await setUp(named("one", "two", "three"));
  const isGone = (name: string) =>
    `[offline] ${file}: keys of "${name}" are not in it any more; it is taken when they have been missing for 5 s`;
  await looked();
  said.length = 0;
  await put(named("two", "three"));
  await pass(1000);
  expect(said.splice(0)).toEqual([isGone("one"), applied({})]);
  await put(named("three"));
  await pass(1000);
  expect(said.splice(0)).toEqual([isGone("two"), applied({})]);
  await put(named("three").replace("a: 1", "a: 2"));
  await pass(1000);
  expect(said.splice(0)).toEqual([applied({})]);
  await pass(2900);
  expect(said).toEqual([]);
  await pass(400);
  expect(said).toEqual([applied({ environments: ["no one", "no two"], flags: ["three"] })]);
});

test("what comes back in time is told of, waits for nothing any more, and has its whole time again", async () => {
  const { said, put, looked, pass, file } = await setUp(named("one", "two"));
  await looked();
  await put(named("two", "three"));
  await pass(4000);
  said.splice(0);
  await put(named("one", "two"));
  await pass(200);
  expect(said.splice(0)).toEqual([`[offline] ${file}: can be used again, and is as it was`, applied({})]);
  await put(named("two"));
  await pass(5100);
  expect(said.splice(0)).toEqual([expect.stringContaining('keys of "one"'), applied({})]);
  await pass(100);
  expect(said).toEqual([applied({ environments: ["no one"] })]);
});

test("an archive is taken at once, and what is broken in it is still when the file is as it was", async () => {
  const { said, put, looked, pass, file } = await setUp(named("one"));
  await looked();
  said.splice(0);
  const archive = archiveOf({ env: { envID: "x" }, data: 5 });
  await put(archive);
  await pass(200);
  const problem = [expect.stringContaining('environment "x": ')];
  const broken = applied({ environments: ["no one"], broken: ["x"], problems: problem });
  expect(said.splice(0)).toEqual([broken]);
  await put("a: [");
  await pass(200);
  expect(said.splice(0)).toEqual([["INVALID_DATA", expect.stringContaining(`${file}:1: `)]]);
  await put(archive);
  await pass(200);
  expect(said).toEqual([
    `[offline] ${file}: can be used again, and is as it was`,
    applied({ broken: ["x"] }),
  ]);
});

test("keys that an archive takes away are not waited for, then nor later", async () => {
  const { said, put, looked, pass, file } = await setUp(named("one"), { keys: own });
  await looked();
  await put(archiveOf({ env: { envID: "x" }, data: {} }));
  await pass(200);
  await put(named("two"));
  await pass(200);
  expect(said).toEqual([
    `[offline] ${file} names its environments: the keys of the options are not used`,
    applied({ environments: ["one"], flags: ["one"] }),
    applied({ environments: ["x", "no one"], flags: ["x"] }),
    applied({ environments: ["two", "no x"], flags: ["two"] }),
  ]);
});

test("keys of the options are told to be of no use beside an archive", async () => {
  const { said, looked, file } = await setUp(archiveOf({ env: { envID: "x" }, data: {} }), { keys: own });
  await looked();
  expect(said[0]).toBe(`[offline] ${file} names its environments: the keys of the options are not used`);
});

test("keys of the options are told to be of no use each time that they become so", async () => {
  const inside = named("own");
  const useless = "names its environments: the keys of the options are not used";
  const { said, put, looked, pass, file } = await setUp(inside, { keys: own });
  await looked();
  for (const next of [inside.replace("a: 1", "a: 2"), "a: 3", inside]) {
    await put(next);
    await pass(200);
  }
  expect(said.filter((one) => typeof one === "string")).toEqual(
    Array(2).fill(`[offline] ${file} ${useless}`),
  );
});

test("nobody is told of keys where there are none", async () => {
  const { said, looked } = await setUp(named("one"));
  await looked();
  expect(said).toEqual([applied({ environments: ["one"], flags: ["one"] })]);
});

test("the same key of another kind is another key", async () => {
  const { said, put, looked, pass } = await setUp("environments: { a: { sdkKey: x, mobileKey: y } }");
  await looked();
  await put("environments: { a: { sdkKey: y, mobileKey: x } }");
  await pass(200);
  expect(said.slice(1)).toEqual([expect.stringContaining('keys of "a" are not'), applied({ broken: ["a"] })]);
});

test("a file that is not there is told of, and looked at until it is closed", async () => {
  const { said, looked, pass, source, clock, file } = await setUp(named("one"));
  await looked();
  await rm(file);
  await pass(200);
  expect(said.slice(1)).toEqual([["UNKNOWN", expect.stringMatching(/^\S+flags cannot be read: ENOENT/)]]);
  source.close();
  expect(clock.pending).toBe(0);
});

test.each([
  ["a file of flags", named("refused")],
  ["an archive", archiveOf({ env: { envID: "refused" }, data: {} })],
])("that %s cannot be served is told as what cannot be used", async (_, contents) => {
  const { said, looked } = await setUp(contents);
  await looked();
  expect(said.at(-1)).toEqual(["INVALID_DATA", "cannot be served"]);
});

test("whenever it is closed, nothing is delivered afterwards", async () => {
  const flags = Array.from({ length: 400 }, (_, n) => `"flag-${n}": ${n}`);
  let taken = 0;
  for (let turns = 0; taken === 0; turns++) {
    const { said, source } = await setUp(`{${flags.join(",")}}`, { keys: own });
    for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
    source.close();
    taken = said.length;
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    expect(said).toHaveLength(taken);
  }
});
