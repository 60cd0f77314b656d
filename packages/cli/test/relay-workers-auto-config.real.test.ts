import { expect, test } from "vitest";
import { eventually, fakeUpstream, flag, mainSection, writeConfig } from "./relay-and-upstream.js";
import { makeFolder } from "./run-program.js";
import {
  accepts,
  announced,
  everywhere,
  hourMs,
  replaceOne,
  startWorkers,
  statusesOf,
  workersOf,
} from "./start-workers.js";

/** A relay with two workers and automatic configuration. */
async function start(environments: Readonly<Record<string, unknown>>) {
  const upstream = await fakeUpstream("sdk-1", "sdk-1b", "sdk-1c", "sdk-2", "sdk-3");
  const configuration = upstream.autoConfig("rel-1");
  configuration.setConfiguration({ environments });
  const cwd = makeFolder();
  writeConfig(cwd, `${mainSection(upstream)}[AutoConfig]\nkey = rel-1\n`);
  const crew = await startWorkers(cwd, "--config", "relay.conf", "--workers", "2");
  return { upstream, configuration, crew };
}

test("a worker that takes the place of another accepts keys of earlier rotations, and hears of later ones", async () => {
  const { upstream, configuration, crew } = await start({ "env-1": announced(1) });
  await everywhere(crew, "sdk-1", 200);
  const rotate = (version: number, value: string, old: string) =>
    configuration.patch(
      "environments",
      "env-1",
      announced(1, { version, sdkKey: { value, expiring: { value: old, timestamp: Date.now() + hourMs } } }),
    );
  rotate(2, "sdk-1b", "sdk-1");
  await everywhere(crew, "sdk-1b", 200);
  rotate(3, "sdk-1c", "sdk-1b");
  await everywhere(crew, "sdk-1c", 200);
  await replaceOne(crew);
  await accepts(crew, "sdk-1", "sdk-1b", "sdk-1c");
  await replaceOne(crew);
  await accepts(crew, "sdk-1", "sdk-1b", "sdk-1c");
  // An end that is moved into the past holds for all.
  configuration.patch(
    "environments",
    "env-1",
    announced(1, { version: 4, sdkKey: { value: "sdk-1c", expiring: { value: "sdk-1b", timestamp: 1000 } } }),
  );
  await everywhere(crew, "sdk-1b", 401);
  await accepts(crew, "sdk-1", "sdk-1c");
  expect(upstream.streamRequests.filter(({ path }) => path.startsWith("/relay_auto_config"))).toHaveLength(1);
});

test("has the environments and payload filters of the others, also while upstream is away", async () => {
  const { upstream, configuration, crew } = await start({
    "env-1": announced(1),
    "env-2": announced(2),
    "env-3": announced(3),
  });
  upstream.environment("sdk-1", "web").setData({ flags: { web: flag("web", true) } });
  await everywhere(crew, "sdk-2", 200);
  configuration.patch("filters", "f", { projKey: "shop", key: "web", version: 1 });
  configuration.delete("environments", "env-2", 2);
  await everywhere(crew, "sdk-2", 401);
  // One of a full set cannot be read: it stays as it was.
  configuration.put({
    environments: { "env-1": announced(1, { version: 2 }), "env-3": { ...announced(3), version: "two" } },
    filters: { f: { projKey: "shop", key: "web", version: 1 } },
  });
  await eventually(
    async () => statusesOf(crew, "sdk-1", "?filter=web"),
    (answers) => answers.every((answer) => answer === 200),
  );
  await eventually(
    async () => crew.printed().match(/environment "env-3": /g)?.length ?? 0,
    (times) => times >= 2,
  );
  await upstream.close();
  for (let count = 0; count < 2; count++) {
    await replaceOne(crew);
    await accepts(crew, "sdk-1", "sdk-3");
    expect(await statusesOf(crew, "sdk-2")).toEqual(Array(12).fill(401));
    expect(await statusesOf(crew, "sdk-1", "?filter=web")).toEqual(Array(12).fill(200));
    const status = await (await fetch(`${crew.base}/status`)).json();
    expect(Object.keys(status.environments).sort()).toEqual(["env-1", "env-1/web", "env-3", "env-3/web"]);
  }
  expect(workersOf(crew)).toHaveLength(2);
});

test("a key of automatic configuration that upstream does not accept is told by every worker, and asked once", async () => {
  const upstream = await fakeUpstream("sdk-1");
  const cwd = makeFolder();
  writeConfig(cwd, `${mainSection(upstream)}[AutoConfig]\nkey = rel-unknown\n`);
  const crew = await startWorkers(cwd, "--config", "relay.conf", "--workers", "2");
  await crew.until(/\[1\] ERROR: .*does not accept the key of automatic configuration/);
  await crew.until(/\[2\] ERROR: .*does not accept the key of automatic configuration/);
  await replaceOne(crew);
  await eventually(
    async () => crew.printed().match(/does not accept the key of automatic configuration/g)?.length,
    (times) => times === 3,
  );
  const status = await (await fetch(`${crew.base}/status`)).json();
  expect(status.configurationStatus.state).toBe("OFF");
  expect(upstream.streamRequests).toHaveLength(1);
  crew.child.kill("SIGTERM");
  expect(await crew.ended).toBe(0);
});
