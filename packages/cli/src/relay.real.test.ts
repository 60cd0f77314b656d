import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { init } from "@launchdarkly/node-server-sdk";
import { createFakeUpstream, type FakeUpstream } from "@wye/relay/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { built } from "../../../scripts/built.js";

// The relay as it is installed: a process with signals, and a real SDK that asks it.
const program = built(new URL("..", import.meta.url), "main.js");
const flag = (on: boolean, version: number) => ({
  key: "my-flag",
  version,
  on,
  variations: [true, false],
  offVariation: 1,
  fallthrough: { variation: 0 },
});
const silent = { debug() {}, info() {}, warn() {}, error() {} };

let cwd: string;
let upstream: FakeUpstream;
const children: ChildProcess[] = [];
beforeEach(async () => {
  cwd = mkdtempSync(join(tmpdir(), "wye-relay-"));
  upstream = await createFakeUpstream({ environments: { "sdk-a": { flags: { "my-flag": flag(true, 1) } } } });
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  await upstream.close();
  rmSync(cwd, { recursive: true, force: true });
});

/** A relay in a process of its own. */
class RelayProcess {
  readonly child: ChildProcess;
  readonly ended: Promise<readonly unknown[]>;
  printed = "";
  readonly #waiting = new Set<() => void>();

  constructor(args: readonly string[]) {
    this.child = spawn(process.execPath, [program, "relay", ...args, "--port", "0"], {
      cwd,
      stdio: ["ignore", "pipe", "pipe"],
    });
    children.push(this.child);
    this.ended = once(this.child, "exit");
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on("data", (chunk: Buffer) => {
        this.printed += chunk.toString();
        for (const look of this.#waiting) look();
      });
    }
  }

  until(pattern: RegExp): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(this.printed);
        if (found === null) return;
        this.#waiting.delete(look);
        resolve(found);
      };
      this.#waiting.add(look);
      void this.ended.then(([code]) => reject(new Error(`ended with ${code}:\n${this.printed}`)));
      look();
    });
  }

  /** The address for SDKs. */
  async base(): Promise<string> {
    const [, port] = await this.until(/listening on port (\d+)/);
    return `http://127.0.0.1:${port}`;
  }
}

function writeConfig(...more: readonly string[]): void {
  const { stream, app, events } = upstream.roles;
  const lines = ["[Main]", `streamUri = ${stream}`, `baseUri = ${app}`, "[Events]", `eventsUri = ${events}`];
  const all = [...lines, "sendEvents = true", "flushInterval = 1h", '[Environment "a"]', "sdkKey = sdk-a"];
  writeFileSync(join(cwd, "relay.conf"), `${[...all, ...more].join("\n")}\n`);
}

function sdkAt(base: string, sdkKey: string) {
  return init(sdkKey, {
    baseUri: base,
    streamUri: base,
    eventsUri: base,
    logger: silent,
    diagnosticOptOut: true,
  });
}

const user = { kind: "user", key: "u" };

test("an SDK gets flags and their changes, and its events are sent when the relay is asked to end", async () => {
  writeConfig();
  const relay = new RelayProcess(["--config", "relay.conf"]);
  const client = sdkAt(await relay.base(), "sdk-a");
  await client.waitForInitialization({ timeout: 300 });
  expect(await client.variation("my-flag", user, "none")).toBe(true);
  const changed = new Promise((resolve) => client.once("update:my-flag", resolve));
  upstream.environment("sdk-a").patch("flags", flag(false, 2));
  await changed;
  expect(await client.variation("my-flag", user, "none")).toBe(false);
  client.track("bought", user);
  await client.flush();
  relay.child.kill("SIGTERM");
  expect(await relay.ended).toEqual([0, null]);
  expect(JSON.stringify(await upstream.takePosts(1))).toContain("bought");
  client.close();
});

test("one command and a file of one line give an SDK its flags", async () => {
  writeFileSync(join(cwd, "flags.yaml"), "my-flag: true\n");
  const relay = new RelayProcess(["--dev", "flags.yaml"]);
  const client = sdkAt(await relay.base(), "sdk-dev");
  await client.waitForInitialization({ timeout: 300 });
  expect(await client.variation("my-flag", user, "none")).toBe(true);
  writeFileSync(join(cwd, "flags.yaml"), "my-flag: false\nanother: [1, 2, 3]\n");
  while ((await client.variation("another", user, "none")) === "none") {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(await client.variation("my-flag", user, "none")).toBe(false);
  client.close();
  relay.child.kill("SIGTERM");
  expect(await relay.ended).toEqual([0, null]);
});

test("SIGHUP reads the configuration again, and a second one does not end the process", async () => {
  writeConfig();
  upstream.environment("sdk-b").setData({ flags: { "my-flag": flag(true, 1) } });
  const relay = new RelayProcess(["--config", "relay.conf"]);
  const base = await relay.base();
  writeConfig('[Environment "b"]', "sdkKey = sdk-b");
  relay.child.kill("SIGHUP");
  await relay.until(/read configuration file relay\.conf again/);
  relay.child.kill("SIGHUP");
  const client = sdkAt(base, "sdk-b");
  await client.waitForInitialization({ timeout: 300 });
  expect(await client.variation("my-flag", user, "none")).toBe(true);
  client.close();
  relay.child.kill("SIGINT");
  expect(await relay.ended).toEqual([0, null]);
});

test("a wrong configuration ends the process with 1", async () => {
  writeConfig("sdkkKey = x");
  const relay = new RelayProcess(["--config", "relay.conf"]);
  expect(await relay.ended).toEqual([1, null]);
  expect(relay.printed).toContain("did you mean sdkKey?");
});
