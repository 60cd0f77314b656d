import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventsUntil } from "./events-until.js";
import { type SdkProcess, startSdkProcess } from "./sdk-process.js";
import { flag, keys, startRelay } from "./start-relay.js";

/** An SDK of another language: how it is installed and started, and what leaves it out. */
interface ServerSdk {
  readonly name: string;
  /** A variable of the environment with the reason why a machine goes without this SDK. */
  readonly without: string;
  readonly needs: string;
  /** Whether it says at the start how it is set up. */
  readonly diagnostics: boolean;
  /** Installs what the program needs into a folder; gives the command that runs it. */
  readonly install: (folder: string) => readonly string[];
}

const programs = fileURLToPath(new URL("./sdk-programs/", import.meta.url));

const sdks: readonly ServerSdk[] = [
  {
    name: "the Python server SDK",
    without: "WYE_WITHOUT_PYTHON",
    needs: "Python 3.10 or newer with venv",
    diagnostics: true,
    install(folder) {
      execFileSync("python3", ["-m", "venv", folder], { stdio: "pipe" });
      const python = join(folder, "bin/python");
      const requirements = join(programs, "python/requirements.txt");
      const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes"];
      execFileSync(python, [...pip, "-r", requirements], { stdio: "pipe" });
      return [python, join(programs, "python/server_sdk.py")];
    },
  },
  {
    name: "the Go server SDK",
    without: "WYE_WITHOUT_GO",
    needs: "Go 1.24 or newer, or one from 1.21 that may fetch it",
    diagnostics: true,
    install(folder) {
      const program = join(folder, "server-sdk");
      const build = ["build", "-buildvcs=false", "-o", program, "."];
      execFileSync("go", build, { cwd: join(programs, "go"), stdio: "pipe" });
      return [program];
    },
  },
  {
    name: "the Java server SDK",
    without: "WYE_WITHOUT_JAVA",
    needs: "a JDK from 11 on, and Maven",
    diagnostics: true,
    install(folder) {
      const libraries = join(folder, "*");
      const fetch = ["-q", "-B", "dependency:copy-dependencies", `-DoutputDirectory=${folder}`];
      execFileSync("mvn", [...fetch, "-f", join(programs, "java")], { stdio: "pipe" });
      const source = join(programs, "java/ServerSdk.java");
      execFileSync("javac", ["-cp", libraries, "-d", folder, source], { stdio: "pipe" });
      return ["java", "-cp", `${folder}:${libraries}`, "ServerSdk"];
    },
  },
  {
    name: "the Rust server SDK",
    without: "WYE_WITHOUT_RUST",
    needs: "Rust 1.95 or newer with cargo",
    diagnostics: false,
    install(folder) {
      // Building everything takes minutes of one core: where a folder is kept, that is done once.
      const target = process.env.CARGO_TARGET_DIR ?? folder;
      const env = { ...process.env, CARGO_TARGET_DIR: target };
      const build = ["build", "--locked", "--quiet"];
      execFileSync("cargo", build, { cwd: join(programs, "rust"), env, stdio: "pipe" });
      return [join(target, "debug/server-sdk")];
    },
  },
];

for (const { name, without, needs, diagnostics, install } of sdks) {
  const reason = process.env[without];
  if (reason !== undefined) console.warn(`${name} is left out: ${reason}`);
  describe.skipIf(reason !== undefined)(reason === undefined ? name : `${name}, left out: ${reason}`, () => {
    let folder: string;
    let program: readonly string[];
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), "wye-sdk-"));
      try {
        program = install(folder);
      } catch (cause) {
        throw new Error(`${name} needs ${needs}; ${without}="the reason" leaves it out`, { cause });
      }
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    const start = (address: string, mode: "stream" | "poll"): SdkProcess =>
      startSdkProcess([...program, address, keys.sdkKey, mode]);

    test("streaming: first values, patch, delete, put, reasons", async () => {
      const relay = await startRelay({
        data: { [keys.sdkKey]: { flags: { a: flag("a", 1), b: flag("b", 1) } } },
      });
      const upstream = relay.upstream.environment(keys.sdkKey);
      const sdk = start(relay.url, "stream");
      expect(await sdk.ask({ do: "ready" })).toBe(true);
      expect(await sdk.ask({ do: "all" })).toEqual({ a: true, b: true });
      const detail = { value: true, reason: { kind: "FALLTHROUGH" } };
      expect(await sdk.ask({ do: "detail", key: "a" })).toEqual(detail);

      upstream.patch("flags", flag("a", 2, { on: false }));
      await shows(sdk, { a: false, b: true });
      expect(await sdk.ask({ do: "detail", key: "a" })).toEqual({ value: false, reason: { kind: "OFF" } });
      upstream.delete("flags", "b", 2);
      await shows(sdk, { a: false });
      expect(await sdk.ask({ do: "detail", key: "b" })).toMatchObject({
        value: null,
        reason: { kind: "ERROR", errorKind: "FLAG_NOT_FOUND" },
      });
      // Whole, as upstream sends it: the Rust SDK refuses less.
      const clause = { attribute: "", op: "segmentMatch", values: ["s"], negate: false };
      const rules = [{ id: "r", variation: 0, clauses: [clause], trackEvents: false }];
      upstream.put({
        flags: { c: flag("c", 1, { rules, fallthrough: { variation: 1 } }) },
        segments: { s: { key: "s", version: 1, included: ["alice"], excluded: [], rules: [], salt: "s" } },
      });
      await shows(sdk, { c: true });
      expect(await sdk.ask({ do: "detail", key: "c" })).toMatchObject({
        reason: { kind: "RULE_MATCH", ruleIndex: 0, ruleId: "r" },
      });
      expect(await sdk.ask({ do: "detail", key: "c", user: "bob" })).toMatchObject({ value: false });
      await sdk.stop();
    });

    test("events arrive upstream as they should: identify, index, summary, feature, custom, diagnostics", async () => {
      const relay = await startRelay({
        data: { [keys.sdkKey]: { flags: { a: flag("a", 7, { trackEvents: true }) } } },
        options: { events: { flushInterval: 20 } },
      });
      const sdk = start(relay.url, "stream");
      await sdk.ask({ do: "identify" });
      await sdk.ask({ do: "detail", key: "a", user: "bob" });
      await sdk.ask({ do: "track", key: "bought", data: { sum: 12.5 }, user: "bob" });
      await sdk.ask({ do: "flush" });
      const kinds = ["identify", "index", "summary", "feature", "custom"];
      if (diagnostics) kinds.push("diagnostic-init");
      const events = await eventsUntil(relay.upstream, kinds);
      expect(events.identify).toMatchObject({ context: { kind: "user", key: "alice" } });
      expect(events.index).toMatchObject({ context: { kind: "user", key: "bob" } });
      expect(events.feature).toMatchObject({ key: "a", version: 7, value: true, variation: 0 });
      expect(events.custom).toMatchObject({ key: "bought", data: { sum: 12.5 } });
      expect(events.summary).toMatchObject({
        features: { a: { counters: [{ value: true, variation: 0, version: 7, count: 1 }] } },
      });
      for (const [kind, { post }] of Object.entries(events)) {
        expect(post.path).toBe(kind === "diagnostic-init" ? "/diagnostic" : "/bulk");
        expect(post.headers).toMatchObject({
          authorization: keys.sdkKey,
          "content-type": "application/json",
        });
      }
      expect(events.custom?.post.headers).toMatchObject({ "x-launchdarkly-event-schema": "4" });
      expect(await sdk.stop()).toBe("");
    });

    test("goes on after the relay was restarted on the same port, with the values of then", async () => {
      const first = await startRelay();
      const sdk = start(first.url, "stream");
      expect(await sdk.ask({ do: "all" })).toEqual({ a: true });
      await first.stop();
      const second = await startRelay({
        port: Number(new URL(first.url).port),
        data: { [keys.sdkKey]: { flags: { a: flag("a", 5, { on: false }), c: flag("c", 1) } } },
      });
      await shows(sdk, { a: false, c: true });
      second.upstream.environment(keys.sdkKey).patch("flags", flag("a", 6));
      await shows(sdk, { a: true, c: true });
      await sdk.stop();
    });

    test("takes the flags of a file, short and in full, and their changes", async () => {
      const path = join(folder, "flags.yaml");
      writeFileSync(path, flagsOfFile("short: true"));
      const relay = await startRelay({
        environments: {},
        options: { offline: { file: path, keys: { sdkKey: keys.sdkKey }, checkInterval: "100ms" } },
      });
      for (const mode of ["stream", "poll"] as const) {
        const sdk = start(relay.url, mode);
        expect(await sdk.ask({ do: "ready" })).toBe(true);
        await shows(sdk, { short: true, number: 1.5, object: { a: [1] }, full: "b", ruled: "a" });
        expect(await sdk.ask({ do: "detail", key: "ruled" })).toMatchObject({
          reason: { kind: "RULE_MATCH", ruleId: "rule-0" },
        });
        expect(await sdk.ask({ do: "detail", key: "ruled", user: "bob" })).toMatchObject({ value: "b" });
        await sdk.stop();
      }
      const sdk = start(relay.url, "stream");
      expect(await sdk.ask({ do: "ready" })).toBe(true);
      writeFileSync(path, flagsOfFile("short: false"));
      await shows(sdk, { short: false, number: 1.5, object: { a: [1] }, full: "b", ruled: "a" });
      expect(await sdk.stop()).toBe("");
    });

    test("polling: first values, and those of the next poll, half a minute later", async () => {
      const requests: string[] = [];
      const relay = await startRelay({
        mount:
          ({ handler }) =>
          (req, res) => {
            res.on("finish", () => requests.push(`${req.url} ${res.statusCode}`));
            handler(req, res);
          },
        options: { events: false },
      });
      const sdk = start(relay.url, "poll");
      expect(await sdk.ask({ do: "ready" })).toBe(true);
      expect(await sdk.ask({ do: "all" })).toEqual({ a: true });
      relay.upstream.environment(keys.sdkKey).patch("flags", flag("a", 2, { on: false }));
      await shows(sdk, { a: false });
      const polls = requests.filter((request) => request.startsWith("/sdk/latest-all"));
      expect(polls).toEqual(["/sdk/latest-all 200", "/sdk/latest-all 200"]);
      await sdk.stop();
    });
  });
}

function flagsOfFile(first: string): string {
  return `
flags:
  ${first}
  number: 1.5
  full:
    variations: [a, b]
    fallthrough: { rollout: { variations: [{ variation: 1, weight: 100000 }] } }
  ruled:
    variations: [a, b]
    fallthrough: { variation: 1 }
    prerequisites: [{ key: full, variation: 1 }]
    rules: [{ variation: 0, clauses: [{ op: segmentMatch, values: [team] }] }]
flagValues: { object: { a: [1] } }
segments: { team: { rules: [{ clauses: [{ attribute: key, op: in, values: [alice] }] }] } }
`;
}

/** Waits until an SDK gives these values. */
async function shows(sdk: SdkProcess, values: Record<string, unknown>): Promise<void> {
  await expect.poll(() => sdk.ask({ do: "all" }), { timeout: 120_000, interval: 5 }).toEqual(values);
}
