import { execFileSync, spawn } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseItem, tombstone } from "@wye/relay";
import { createStoreContext } from "@wye/relay/testing";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { databases, type TestDatabase } from "./test-databases.js";

/** An SDK in a process of its own: how it is installed and started, and what leaves it out. */
interface OtherSdk {
  readonly name: string;
  /** What it can read. Default: every database. */
  readonly reads?: readonly TestDatabase["name"][];
  readonly missing: string | undefined;
  /** Installs what the program needs into a folder; gives the command that runs it. */
  readonly install: (folder: string) => readonly string[];
}

const programs = fileURLToPath(new URL("./sdk-programs/", import.meta.url));

const sdks: readonly OtherSdk[] = [
  {
    // What reads Redis is in this package; what reads DynamoDB exists for an older version of the SDK only.
    name: "Node",
    reads: ["dynamodb"],
    missing: process.env.WYE_WITHOUT_NODE_SDK,
    install(folder) {
      for (const file of ["package.json", "package-lock.json", "daemon-mode.js"])
        copyFileSync(join(programs, "node", file), join(folder, file));
      execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], {
        cwd: folder,
        stdio: "pipe",
      });
      return [process.execPath, join(folder, "daemon-mode.js")];
    },
  },
  {
    name: "Python",
    missing: process.env.WYE_WITHOUT_PYTHON,
    install(folder) {
      execFileSync("python3", ["-m", "venv", folder], { stdio: "pipe" });
      const python = join(folder, "bin/python");
      const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes"];
      execFileSync(python, [...pip, "-r", join(programs, "python/requirements.txt")], { stdio: "pipe" });
      return [python, join(programs, "python/daemon_mode.py")];
    },
  },
  {
    name: "Go",
    missing: process.env.WYE_WITHOUT_GO,
    install(folder) {
      const program = join(folder, "daemon-mode");
      const build = ["build", "-buildvcs=false", "-o", program, "."];
      execFileSync("go", build, { cwd: join(programs, "go"), stdio: "pipe" });
      return [program];
    },
  },
];

/** A flag or segment with these properties only: no more than upstream need send. */
const item = (kind: "flags" | "segments", key: string, version: number, rest: object) =>
  parseItem(kind, key, JSON.stringify({ key, version, salt: "s", ...rest }));
const variations = ["first", "second"];
const clause = { attribute: "", op: "segmentMatch", values: ["members"] };
const rules = [{ id: "r", variation: 0, clauses: [clause] }];
const waiting = new AbortController().signal;
const context = createStoreContext();

/** Starts an SDK; gives a question for the flags of a user. */
function startSdk([program = "", ...parameters]: readonly string[]) {
  const child = spawn(program, parameters, { env: {}, stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return async (user: string): Promise<Record<string, unknown>> => {
    child.stdin.write(`${user}\n`);
    return JSON.parse((await lines.next()).value);
  };
}

for (const sdk of sdks) {
  const title = `the ${sdk.name} server SDK in daemon mode`;
  const left = sdk.missing === undefined ? "" : `, left out: ${sdk.missing}`;
  describe.skipIf(sdk.missing !== undefined)(title + left, () => {
    let folder: string;
    let command: readonly string[];
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), "wye-daemon-"));
      command = sdk.install(folder);
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    const { reads = databases.map(({ name }) => name) } = sdk;
    for (const { name, missing, start } of databases.filter(({ name }) => reads.includes(name))) {
      const skipped = missing === undefined ? "" : `, left out: ${missing}`;
      test.skipIf(missing !== undefined)(
        `reads a full set, segments, single writes and deletions from ${name}${skipped}`,
        async () => {
          const prefix = `daemon-${sdk.name}-${process.pid}`;
          const { address, store: factory } = await start(prefix);
          const store = factory(context);
          onTestFinished(() => store.close());
          await store.replace(
            [
              item("flags", "on", 1, { on: true, fallthrough: { variation: 0 }, variations }),
              item("flags", "club", 1, { on: true, rules, fallthrough: { variation: 1 }, variations }),
              item("segments", "members", 1, { included: ["alice"] }),
              tombstone("flags", "gone", 4),
            ],
            waiting,
          );
          const ask = startSdk([...command, name, address, prefix, "on", "club", "gone"]);
          const unknown = ["fallback", { kind: "ERROR", errorKind: "FLAG_NOT_FOUND" }];
          const match = { kind: "RULE_MATCH", ruleIndex: 0, ruleId: "r" };
          const rest = { on: ["first", { kind: "FALLTHROUGH" }], gone: unknown };
          expect(await ask("alice")).toEqual({ ...rest, club: ["first", match] });
          expect(await ask("bob")).toEqual({ ...rest, club: ["second", { kind: "FALLTHROUGH" }] });
          const off = item("flags", "club", 2, { on: false, offVariation: 1, variations });
          await store.upsert([off, tombstone("flags", "on", 2)], waiting);
          expect(await ask("alice")).toEqual({
            on: unknown,
            gone: unknown,
            club: ["second", { kind: "OFF" }],
          });
        },
      );
    }
  });
}
