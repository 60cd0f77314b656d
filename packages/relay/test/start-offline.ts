import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { RelayError } from "../src/error.js";
import type { OfflineOptions, RelayOptions } from "../src/options/options.js";
import { createManualClock, type ManualClock } from "../src/testing/manual-clock.js";
import { type Running, startRelay } from "./start-relay.js";

export interface OfflineRelay extends Running {
  readonly path: string;
  readonly clock: ManualClock;
  readonly errors: RelayError[];
  /** Lets the relay look at the file until the condition holds. */
  until(condition: () => boolean | Promise<boolean>): Promise<void>;
  /** Puts another file in its place, as a whole. */
  replace(contents: string | Buffer): Promise<void>;
  /** The status of a poll with a key, or the versions of its flags. */
  poll(sdkKey: string): Promise<unknown>;
}

/** A folder that is gone after the test. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "wye-offline-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts a relay on a file with these contents, or on none. */
export async function startOffline(
  name: string,
  contents: string | Buffer | undefined,
  offline: Partial<OfflineOptions> = {},
  options: RelayOptions = {},
): Promise<OfflineRelay> {
  const path = join(await makeFolder(), name);
  if (contents !== undefined) await writeFile(path, contents);
  const clock = createManualClock();
  const errors: RelayError[] = [];
  const running = await startRelay({
    environments: {},
    options: {
      ...options,
      clock,
      offline: { file: path, onError: (error) => errors.push(error), ...offline },
    },
  });
  return {
    ...running,
    path,
    clock,
    errors,
    async until(condition) {
      while (!(await condition())) {
        clock.advance(100);
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    async replace(next) {
      await writeFile(`${path}.new`, next);
      await rename(`${path}.new`, path);
    },
    async poll(authorization) {
      const { status, body } = await running.fetch("GET", "/sdk/flags", { headers: { authorization } });
      if (status !== 200) return status;
      const flags: Record<string, { version: number }> = JSON.parse(body);
      return Object.fromEntries(Object.entries(flags).map(([key, { version }]) => [key, version]));
    },
  };
}
