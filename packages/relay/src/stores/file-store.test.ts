import { createHash } from "node:crypto";
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseItem, tombstone } from "@wye/flag-evaluator";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { silentLogger } from "../logger.js";
import { flagStoreContract } from "../testing/flag-store-contract.js";
import { createManualClock } from "../testing/manual-clock.js";
import { type FileStoreOptions, fileStore } from "./file-store.js";

let directory = "";
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "relay-store-"));
});
afterEach(() => rm(directory, { recursive: true }));

const never = new AbortController().signal;
const flag = (key: string, version: number, text = "") =>
  parseItem("flags", key, JSON.stringify({ key, version, text }));

function store(environment = "prod", filter?: string, errors: string[] = [], envId?: string) {
  const logger = { ...silentLogger, error: (message: string) => errors.push(message) };
  return fileStore({ directory: join(directory, "flags") })({
    environment,
    envId,
    filter,
    logger,
    clock: createManualClock(),
  });
}

test("the flags of an environment with another ID are passed over, and replaced", async () => {
  const errors: string[] = [];
  const of = (envId?: string) => store("prod", undefined, errors, envId);
  await of("shop").replace([flag("a", 1)], never);
  for (const same of [of("shop"), of()]) expect(await same.read(never)).toEqual([flag("a", 1)]);
  expect(errors).toEqual([]);
  expect(await of("bank").read(never)).toBeUndefined();
  expect(errors).toEqual([
    `${await onlyFile()} is passed over, and will be replaced: it has the flags of the environment with the ID "shop"`,
  ]);
  await of("bank").replace([flag("b", 1)], never);
  expect(await of("bank").read(never)).toEqual([flag("b", 1)]);
  await of().replace([flag("c", 1)], never);
  expect(await of("shop").read(never)).toEqual([flag("c", 1)]);
});

test("keys that come later open what is kept as well, and are written into it once", async () => {
  let keys = ["first"];
  const context = { environment: "prod", envId: undefined, filter: undefined, logger: silentLogger };
  const of = () =>
    fileStore({ directory: join(directory, "flags") })({
      ...context,
      clock: createManualClock(),
      keyDigests: () => keys,
    });
  await of().replace([flag("a", 1)], never);
  const running = of();
  keys = ["second"];
  expect(await running.read(never)).toEqual([flag("a", 1)]);
  await running.noteKeys?.(never);
  const { ino } = await stat(await onlyFile());
  await running.noteKeys?.(never);
  expect((await stat(await onlyFile())).ino).toBe(ino);
  expect(await of().read(never)).toEqual([flag("a", 1)]);
  keys = ["first"];
  expect(await of().read(never)).toBeUndefined();
});

test("a first line in which one letter has changed opens nothing to other keys", async () => {
  const of = (keys: readonly string[]) =>
    fileStore({ directory: join(directory, "flags") })({
      ...{ environment: "prod", envId: "shop", filter: undefined, logger: silentLogger },
      clock: createManualClock(),
      keyDigests: () => keys,
    });
  await of(["first"]).replace([flag("a", 1)], never);
  const path = await onlyFile();
  const written = await readFile(path, "utf8");
  const opened: string[] = [];
  for (let at = 0; at < written.indexOf("\n"); at++) {
    const letter = String.fromCharCode(written.charCodeAt(at) ^ 1);
    const damaged = written.slice(0, at) + letter + written.slice(at + 1);
    await writeFile(path, damaged);
    if ((await of(["second"]).read(never)) !== undefined) opened.push(damaged);
  }
  expect(opened).toEqual([]);
});

test("what has changed of one environment is not taken for a change of another that began with the same flags", async () => {
  const of = (key: string) =>
    fileStore({ directory: join(directory, "flags") })({
      ...{ environment: "prod", envId: undefined, filter: undefined, logger: silentLogger },
      clock: createManualClock(),
      keyDigests: () => [key],
    });
  const first = of("first");
  await first.replace([flag("a", 1)], never);
  await first.upsert([flag("a", 2, "of the first")], never);
  const changes = `${await onlyFile()}.changes`;
  const written = await readFile(changes);
  await of("second").replace([flag("a", 1)], never);
  // As it is when the process is killed before it is removed.
  await writeFile(changes, written);
  expect(await of("second").read(never)).toEqual([flag("a", 1)]);
});

test("keys are not written where no flags are kept", async () => {
  await store().noteKeys?.(never);
  expect(await readdir(directory)).toEqual([]);
});

/** A file whose digest is that of its contents. */
function signed(body: string): string {
  const sha256 = createHash("sha256").update(body).digest("hex");
  return `${JSON.stringify({ layout: 1, complete: true, sha256 })}\n${body}`;
}

/** Lets a file look so old. */
const age = (path: string, ms: number) => utimes(path, new Date(), new Date(Date.now() - ms));

const files = () => readdir(join(directory, "flags"));
const onlyFile = async () => join(directory, "flags", (await files())[0] ?? "");

for (const { name, run } of flagStoreContract) {
  test(name, () =>
    run(async () => {
      await rm(join(directory, "flags"), { recursive: true, force: true });
      return store();
    }),
  );
}

test("what was kept is there after a restart, texts and tombstones as they were", async () => {
  const items = [flag("a", 3, "é\u2028\n😀"), flag("__proto__", 1), tombstone("segments", "s", 7)];
  await store().replace(items, never);
  expect(await store().read(never)).toEqual(items);
  expect(await store().upsert([flag("a", 2), flag("b", 1)], never)).toEqual([items[0]]);
  expect(await store().read(never)).toEqual([...items, flag("b", 1)]);
});

test("items that were kept before the first full set are no full set after a restart either", async () => {
  await store().upsert([flag("a", 1)], never);
  await store().upsert([flag("b", 1)], never);
  expect(await store().read(never)).toBeUndefined();
  expect(await store().upsert([flag("a", 1)], never)).toEqual([flag("a", 1)]);
  expect(await store().read(never)).toBeUndefined();
});

test("environments and filters have files of their own, whatever they are called", async () => {
  const names: [string, string?][] = [
    ["prod"],
    ["Prod"],
    ["prod", "web"],
    ["prod/web"],
    ["../../escape"],
    ["."],
    ["\u0000"],
    ["é".repeat(400)],
    ["con"],
  ];
  for (const [index, [environment, filter]] of names.entries()) {
    await store(environment, filter).replace([flag("a", index + 1)], never);
  }
  for (const [index, [environment, filter]] of names.entries()) {
    expect(await store(environment, filter).read(never)).toEqual([flag("a", index + 1)]);
  }
  expect(await files()).toHaveLength(names.length);
  expect(new Set((await files()).map((name) => name.toLowerCase())).size).toBe(names.length);
  expect(await readdir(directory)).toEqual(["flags"]);
});

describe("a file that is not what was written", () => {
  const damages: Record<string, (text: string) => string> = {
    "cut short": (text) => text.slice(0, text.length - 5),
    "cut at a line": (text) => text.slice(0, text.lastIndexOf("\n", text.length - 2) + 1),
    empty: () => "",
    "of another layout": (text) => text.replace('"layout":1', '"layout":2'),
    "with one letter changed": (text) => text.replace("kept", "kepd"),
    "something else": () => "<html>",
    "with lines that are no items": () => signed("5\n"),
    "with lines that are no JSON": () => signed("x\n"),
    "with lines of two": () => signed('["flags","a"]\n'),
    "with lines of four": () => signed('["flags","a","{\\"version\\":1}",0]\n'),
    "with a kind that there is not": () => signed('["rules","a","{\\"version\\":1}"]\n'),
    "with keys that are no text": () => signed('["flags",5,"{\\"version\\":1}"]\n'),
    "with items that are no text": () => signed('["flags","a",{}]\n'),
    "with items that are no flags": () => signed('["flags","a","[]"]\n'),
    "a head alone": (text) => text.slice(0, text.indexOf("\n")),
  };
  for (const [name, damage] of Object.entries(damages)) {
    test(`${name}: is passed over, reported, and replaced`, async () => {
      await store().replace([flag("a", 1, "kept"), flag("b", 1)], never);
      const path = await onlyFile();
      await writeFile(path, damage(await readFile(path, "utf8")));
      const errors: string[] = [];
      const next = store("prod", undefined, errors);
      expect(await next.read(never)).toBeUndefined();
      expect(errors).toEqual([expect.stringContaining(`${path} is passed over`)]);
      await next.replace([flag("c", 1)], never);
      expect(await store().read(never)).toEqual([flag("c", 1)]);
    });
  }
});

test.each([
  ["edits", async (path: string) => writeFile(path, "\n", { flag: "a" })],
  ["replaces by one as long", async () => store().replace([flag("a", 1, "theirs")], never)],
])("changes do not follow on a file that somebody else %s: it is written anew", async (_what, meddle) => {
  const ours = store();
  await ours.replace([flag("a", 1, "ourown")], never);
  await meddle(await onlyFile());
  expect(await ours.upsert([flag("b", 1)], never)).toEqual([]);
  expect(await store().read(never)).toEqual([flag("a", 1, "ourown"), flag("b", 1)]);
});

test("what could not be cleared away after a full set was written is no reason to forget the set", async () => {
  const ours = store();
  await ours.replace([flag("a", 1)], never);
  const changes = `${await onlyFile()}.changes`;
  await mkdir(changes);
  await expect(ours.replace([flag("b", 1)], never)).rejects.toThrow();
  await rm(changes, { recursive: true });
  expect(await ours.upsert([flag("c", 1)], never)).toEqual([]);
  expect(await store().read(never)).toEqual([flag("b", 1), flag("c", 1)]);
});

test.skipIf(process.platform !== "linux")(
  "changes that a full disk takes half of are followed by nothing",
  async () => {
    const ours = store();
    await ours.replace([flag("a", 1)], never);
    await symlink("/dev/full", `${await onlyFile()}.changes`);
    await expect(ours.upsert([flag("b", 1)], never)).rejects.toThrow("ENOSPC");
    expect(await ours.upsert([flag("c", 1)], never)).toEqual([]);
    expect((await store().read(never))?.map(({ key }) => key)).toContain("c");
  },
);

test("a write that fails leaves what was there, and nothing beside it", async () => {
  const first = store();
  await first.replace([flag("a", 1)], never);
  const path = await onlyFile();
  await rm(path);
  // What is in the way cannot be replaced by a file.
  await mkdir(join(path, "in-the-way"), { recursive: true });
  await expect(first.replace([flag("a", 2)], never)).rejects.toThrow();
  expect(await files()).toHaveLength(1);
  await rm(path, { recursive: true });
  await first.upsert([flag("b", 1)], never);
  expect(await store().read(never)).toEqual([flag("a", 1), flag("b", 1)]);
});

test("an aborted write has no effect", async () => {
  await store().replace([flag("a", 1)], never);
  const abort = new AbortController();
  const writing = store().replace([flag("a", 2, "x".repeat(5_000_000))], abort.signal);
  abort.abort();
  await expect(writing).rejects.toThrow();
  expect(await store().read(never)).toEqual([flag("a", 1)]);
  expect(await files()).toHaveLength(1);
});

test("what a relay left that ended while it was writing is removed, what others left is not", async () => {
  await store().replace([flag("a", 1)], never);
  const path = await onlyFile();
  const others = [`${path}-other.tmp`, `${path}.0.tm`, `${path}.writing.tmp`];
  for (const left of [`${path}.0.tmp`, ...others]) {
    await writeFile(left, "half");
    // What is younger than ten minutes may still be written by another relay.
    await age(left, left.includes("writing") ? 55_000 : 61_000);
  }
  await store().read(never);
  expect((await files()).map((name) => join(directory, "flags", name)).sort()).toEqual(
    [path, ...others].sort(),
  );
});

test("a link under its name is replaced, not followed", async () => {
  await store().replace([flag("a", 1)], never);
  const path = await onlyFile();
  const victim = join(directory, "victim");
  await writeFile(victim, "precious");
  await rm(path);
  await symlink(victim, path);
  await store().replace([flag("a", 2)], never);
  expect(await readFile(victim, "utf8")).toBe("precious");
  expect(await store().read(never)).toEqual([flag("a", 2)]);
});

test("without a folder that can be read or written the error says so", async () => {
  await writeFile(join(directory, "flags"), "a file");
  await chmod(directory, 0o755);
  await expect(store().replace([], never)).rejects.toThrow(/EEXIST|ENOTDIR/);
  await expect(store().read(never)).rejects.toThrow("ENOTDIR");
});

test("options that make no sense are refused", () => {
  const wrong: unknown[] = [
    undefined,
    null,
    "/tmp",
    { directory: "" },
    { directory: 5 },
    { directory: "a\0b" },
    { dir: "/tmp" },
  ];
  for (const options of wrong) {
    // What a program without types may pass.
    expect(() => fileStore(options as FileStoreOptions), JSON.stringify(options)).toThrow(
      expect.objectContaining({ code: "invalid_options", message: expect.stringContaining("fileStore: ") }),
    );
  }
});

test("a leftover that cannot be removed keeps nobody from reading", async () => {
  await store().replace([flag("a", 1)], never);
  const left = `${await onlyFile()}.0.tmp`;
  // Neither `rm` nor `unlink` removes a folder.
  await mkdir(left);
  await age(left, 61_000);
  expect(await store().read(never)).toEqual([flag("a", 1)]);
});

test.skipIf(process.platform !== "linux")("where nothing can be made a write fails at once", async () => {
  const context = { environment: "prod", envId: undefined, filter: undefined, logger: silentLogger };
  for (const place of ["/proc/nowhere", "/proc/nowhere/below", "/dev/null/flags"]) {
    const kept = fileStore({ directory: place })({ ...context, clock: createManualClock() });
    await expect(kept.replace([flag("a", 1)], never), place).rejects.toThrow(/ENOENT|ENOTDIR|EEXIST/);
    await kept.close();
  }
});

test("two relays that share a folder never leave half a file, nor take away what the other is writing", async () => {
  const [one, two] = [store(), store()];
  const sets = Array.from({ length: 40 }, (_, n) => [
    flag("a", n + 1, "x".repeat(1000 * n)),
    flag("b", n + 1),
  ]);
  const errors: string[] = [];
  let writing = true;
  const reading = (async () => {
    while (writing) {
      const read = (await store("prod", undefined, errors).read(never)) ?? [];
      // Both items are of one set.
      expect(new Set(read.map(({ version }) => version)).size).toBeLessThanOrEqual(1);
    }
  })();
  await Promise.all(
    [one, two].map(async (own) => {
      for (const set of sets) await own.replace(set, never);
    }),
  );
  writing = false;
  await reading;
  expect(errors).toEqual([]);
  expect(await store().read(never)).toEqual(sets.at(-1));
  expect(await files()).toHaveLength(1);
});
