import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseItem, tombstone } from "@wye/relay";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { redisStore } from "../src/index.js";
import { contextOf, never, newPrefix } from "./fixtures.js";
import { startRedis } from "./redis-server.js";

const reason = process.env.WYE_WITHOUT_PYTHON;
const name = "the Python server SDK in daemon mode";
if (reason !== undefined) console.warn(`${name} is left out: ${reason}`);
const programs = fileURLToPath(new URL("./sdk-programs/python/", import.meta.url));

/** A flag or segment with these properties only: no more than upstream need send. */
const item = (kind: "flags" | "segments", key: string, version: number, rest: object) =>
  parseItem(kind, key, JSON.stringify({ key, version, salt: "s", ...rest }));
const variations = ["first", "second"];
const clause = { attribute: "", op: "segmentMatch", values: ["members"] };
const rules = [{ id: "r", variation: 0, clauses: [clause] }];

describe.skipIf(reason !== undefined)(reason === undefined ? name : `${name}, left out: ${reason}`, () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "wye-daemon-"));
    execFileSync("python3", ["-m", "venv", folder], { stdio: "pipe" });
    const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes"];
    execFileSync(join(folder, "bin/python"), [...pip, "-r", join(programs, "requirements.txt")], {
      stdio: "pipe",
    });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Starts the SDK; gives a question for the flags of a user. */
  function startSdk(url: string, prefix: string, keys: readonly string[]) {
    const program = [join(programs, "daemon_mode.py"), url, prefix, ...keys];
    const child = spawn(join(folder, "bin/python"), program, { env: {}, stdio: ["pipe", "pipe", "inherit"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    return async (user: string): Promise<unknown> => {
      child.stdin.write(`${user}\n`);
      return JSON.parse((await lines.next()).value);
    };
  }

  test("reads a full set, segments, single writes and deletions", async () => {
    const redis = await startRedis();
    onTestFinished(() => redis.stop());
    const url = `redis://127.0.0.1:${redis.port}`;
    const prefix = newPrefix();
    const store = redisStore({ url, prefix })(contextOf("test"));
    onTestFinished(() => store.close());
    await store.replace(
      [
        item("flags", "on", 1, { on: true, fallthrough: { variation: 0 }, variations }),
        item("flags", "club", 1, { on: true, rules, fallthrough: { variation: 1 }, variations }),
        item("segments", "members", 1, { included: ["alice"] }),
        tombstone("flags", "gone", 4),
      ],
      never,
    );
    const ask = startSdk(url, prefix, ["on", "club", "gone"]);
    const unknown = ["fallback", { kind: "ERROR", errorKind: "FLAG_NOT_FOUND" }];
    const match = { kind: "RULE_MATCH", ruleIndex: 0, ruleId: "r" };
    const rest = { on: ["first", { kind: "FALLTHROUGH" }], gone: unknown };
    expect(await ask("alice")).toEqual({ ...rest, club: ["first", match] });
    expect(await ask("bob")).toEqual({ ...rest, club: ["second", { kind: "FALLTHROUGH" }] });
    const off = item("flags", "club", 2, { on: false, offVariation: 1, variations });
    await store.upsert([off, tombstone("flags", "on", 2)], never);
    expect(await ask("alice")).toEqual({ on: unknown, gone: unknown, club: ["second", { kind: "OFF" }] });
  });
});
