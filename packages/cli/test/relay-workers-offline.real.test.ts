import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { archiveOf } from "../../../scripts/make-archive.js";
import { eventually, flag, flagsOf } from "./relay-and-upstream.js";
import { makeFolder } from "./run-program.js";
import {
  accepts,
  announced,
  type Crew,
  everywhere,
  hourMs,
  replaceOne,
  startWorkers,
  statusesOf,
} from "./start-workers.js";

const environment = (n: number, version = 1, rest: object = {}) => ({
  env: announced(n, { version, ...rest }),
  data: { flags: { "my-flag": flag("my-flag", true, version) }, segments: {} },
});

/** Two workers that serve a file with these contents. */
async function startWith(name: string, contents: string | Buffer) {
  const cwd = makeFolder();
  const path = join(cwd, name);
  const replace = (next: string | Buffer) => {
    writeFileSync(`${path}.new`, next);
    renameSync(`${path}.new`, path);
  };
  replace(contents);
  const offline = ["[OfflineMode]", `fileDataSource = ${name}`, "fileDataSourceMonitoringInterval = 100ms"];
  writeFileSync(join(cwd, "relay.conf"), `${offline.join("\n")}\n`);
  const crew = await startWorkers(cwd, "--config", "relay.conf", "--workers", "2");
  return { crew, path, replace };
}

/** The different answers to many polls, each on a connection of its own. */
async function seenBy({ base }: Crew, sdkKey: string): Promise<readonly unknown[]> {
  const polls = Array.from({ length: 12 }, async () => {
    const answer = await flagsOf(base, sdkKey);
    const { "my-flag": found } = await answer.json();
    return `${found?.version} ${found?.fallthrough?.variation}`;
  });
  return [...new Set(await Promise.all(polls))];
}

const everywhereSeen = (crew: Crew, sdkKey: string, wanted: string) =>
  eventually(
    () => seenBy(crew, sdkKey),
    (seen) => seen.length === 1 && seen[0] === wanted,
  );

test("a worker that takes the place of another accepts the keys of earlier archives, and hears of later ones", async () => {
  const { crew, replace } = await startWith("archive.tar.gz", archiveOf(environment(1), environment(2)));
  await everywhere(crew, "sdk-1", 200);
  const rotate = async (version: number, value: string, old: string) => {
    const expiring = { value: old, timestamp: Date.now() + hourMs };
    replace(archiveOf(environment(1, version, { sdkKey: { value, expiring } }), environment(2)));
    await everywhere(crew, value, 200);
  };
  await rotate(2, "sdk-1b", "sdk-1");
  await rotate(3, "sdk-1c", "sdk-1b");
  await replaceOne(crew);
  await accepts(crew, "sdk-1", "sdk-1b", "sdk-1c");
  await everywhereSeen(crew, "sdk-1", "3 0");
  replace(archiveOf(environment(1, 4, { sdkKey: { value: "sdk-1c" } })));
  await everywhere(crew, "sdk-2", 401);
  await accepts(crew, "sdk-1", "sdk-1b", "sdk-1c");
  await everywhereSeen(crew, "sdk-1", "4 0");
});

test("a file that is wrong or gone leaves all workers as they were, also those that come later", async () => {
  const { crew, replace, path } = await startWith("archive.tar.gz", archiveOf(environment(1)));
  await everywhere(crew, "sdk-1", 200);
  replace(Buffer.from([0x1f, 0x8b, 8, 0]));
  await crew.until(/\[1\] ERROR: .*archive\.tar\.gz: the archive cannot be read/);
  await crew.until(/\[2\] ERROR: .*archive\.tar\.gz: the archive cannot be read/);
  await replaceOne(crew);
  await accepts(crew, "sdk-1");
  rmSync(path);
  await crew.until(/ENOENT/);
  await replaceOne(crew);
  await accepts(crew, "sdk-1");
  const status = await (await fetch(`${crew.base}/status`)).json();
  expect(status).toMatchObject({ configurationStatus: { state: "INTERRUPTED" } });
  replace(archiveOf(environment(1, 2)));
  await everywhereSeen(crew, "sdk-1", "2 0");
});

test("workers serve a flag that was edited by hand with the same version, whenever they came", async () => {
  const file = (variation: number) =>
    JSON.stringify({
      environments: {
        shop: {
          sdkKey: "sdk-1",
          flags: { "my-flag": { ...flag("my-flag", true), fallthrough: { variation } } },
        },
      },
    });
  const { crew, replace } = await startWith("flags.json", file(0));
  await everywhere(crew, "sdk-1", 200);
  await everywhereSeen(crew, "sdk-1", "1 0");
  replace(file(1));
  await everywhereSeen(crew, "sdk-1", "2 1");
  replace(file(0));
  await everywhereSeen(crew, "sdk-1", "3 0");
  await replaceOne(crew);
  await everywhereSeen(crew, "sdk-1", "3 0");
  replace(file(1));
  await everywhereSeen(crew, "sdk-1", "4 1");
  expect(await statusesOf(crew, "sdk-2")).toEqual(Array(12).fill(401));
});
