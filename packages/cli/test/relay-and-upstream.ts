import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFakeUpstream, type FakeUpstream } from "@wye/relay/testing";
import { onTestFinished } from "vitest";
import { makeFolder } from "./run-program.js";
import { type RunningRelay, startRelay } from "./run-relay.js";

/** A flag as upstream has it. */
export const flag = (key: string, on: boolean, version = 1) => ({
  key,
  version,
  on,
  variations: [true, false],
  offVariation: 1,
  fallthrough: { variation: 0 },
});

/** Upstream with these keys, each with one flag. */
export async function fakeUpstream(...sdkKeys: readonly string[]): Promise<FakeUpstream> {
  const environments = Object.fromEntries(
    sdkKeys.map((key) => [key, { flags: { "my-flag": flag("my-flag", true) } }]),
  );
  const upstream = await createFakeUpstream({ environments });
  onTestFinished(() => upstream.close());
  return upstream;
}

/** The lines that send a relay to a stand-in for upstream. */
export function mainSection({ roles }: FakeUpstream, ...more: readonly string[]): string {
  return [
    "[Main]",
    `streamUri = ${roles.stream}`,
    `baseUri = ${roles.app}`,
    ...more,
    "[Events]",
    `eventsUri = ${roles.events}`,
    "",
  ].join("\n");
}

/** Writes the configuration of a folder. */
export function writeConfig(cwd: string, text: string): void {
  writeFileSync(join(cwd, "relay.conf"), text);
}

/** Starts a relay with this configuration file. */
export async function start(text: string, env: Readonly<Record<string, string>> = {}): Promise<RunningRelay> {
  const cwd = makeFolder();
  writeConfig(cwd, text);
  const relay = await startRelay(["--config", "relay.conf", "--from-env"], { cwd, env });
  return relay;
}

/** Asks until the answer is as wanted: data arrive when they do. */
export async function eventually<Value>(
  ask: () => Promise<Value>,
  isWanted: (value: Value) => boolean,
): Promise<Value> {
  for (;;) {
    const value = await ask();
    if (isWanted(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The answer to a poll with an SDK key. */
export const flagsOf = (base: string, sdkKey: string) =>
  fetch(`${base}/sdk/flags`, { headers: { Authorization: sdkKey } });
/** Waits until polls with an SDK key are answered like this. */
export const served = (base: string, sdkKey: string, status = 200) =>
  eventually(
    async () => (await flagsOf(base, sdkKey)).status,
    (got) => got === status,
  );
