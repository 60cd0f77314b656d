import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freePort } from "../../../scripts/databases/free-port.js";
import { eventually, fakeUpstream, flagsOf, mainSection, served, start } from "./relay-and-upstream.js";
import { makeFolder, wye } from "./run-program.js";
import { startRelay } from "./run-relay.js";

/** What a page of a stranger gets; it is told which origin may read it. */
const strangePage = (base: string, envId: string) => {
  const context = Buffer.from(JSON.stringify({ kind: "user", key: "alice" })).toString("base64url");
  const headers = { Origin: "https://stranger.example" };
  return fetch(`${base}/sdk/evalx/${envId}/contexts/${context}`, { headers });
};

// The archive of the recording `offline` in packages/relay/testdata, which ld-relay serves as it is.
const archive = new URL("../testdata/relay/archive.tar.gz", import.meta.url);
const archived = {
  sdkKey: "sdk-11111111-aaaa-4bbb-8ccc-222222222222",
  otherSdkKey: "sdk-22222222-aaaa-4bbb-8ccc-333333333333",
  envId: "0123456789abcdef01234567",
  otherEnvId: "1123456789abcdef01234567",
};

test("an archive is served without a word to upstream, under its own keys and the rules of the configuration", async () => {
  const upstream = await fakeUpstream(archived.sdkKey);
  const cwd = makeFolder();
  copyFileSync(archive, join(cwd, "archive.tar.gz"));
  const offline = [
    "[OfflineMode]",
    "fileDataSource = archive.tar.gz",
    "envAllowedOrigin = https://a.example",
  ];
  writeFileSync(join(cwd, "relay.conf"), `${mainSection(upstream)}${offline.join("\n")}\n`);
  expect(await wye(["relay", "--config", "relay.conf", "--check"], { cwd })).toMatchObject({
    code: 0,
    err: "",
  });
  const relay = await startRelay(["--config", "relay.conf"], { cwd });
  await served(relay.base, archived.sdkKey);
  expect(await (await flagsOf(relay.base, archived.sdkKey)).json()).toMatchObject({
    a: { version: 1, on: true },
  });
  expect(await (await flagsOf(relay.base, archived.otherSdkKey)).json()).toEqual({});
  const page = await strangePage(relay.base, archived.envId);
  expect(page.headers.get("access-control-allow-origin")).toBe("https://a.example");
  expect(await page.json()).toMatchObject({ a: { value: true } });
  const { environments } = await (await fetch(`${relay.base}/status`)).json();
  expect(Object.keys(environments).sort()).toEqual([archived.envId, archived.otherEnvId]);
  const headers = { Authorization: archived.sdkKey };
  expect((await fetch(`${relay.base}/bulk`, { method: "POST", headers, body: "[]" })).status).toBe(202);
  expect(await relay.end()).toBe(0);
  expect([upstream.streamRequests, await upstream.takePosts()]).toEqual([[], []]);
});

test("an archive that is damaged is refused before anything is served", async () => {
  const cwd = makeFolder();
  writeFileSync(join(cwd, "archive.tar.gz"), Buffer.from([0x1f, 0x8b, 8, 0]));
  const env = { FILE_DATA_SOURCE: "archive.tar.gz" };
  for (const mode of [["--check"], ["--port", "0"]]) {
    const interrupted = AbortSignal.abort();
    const { code, err } = await wye(["relay", "--from-env", ...mode], { cwd, env, interrupted });
    expect([code, err]).toEqual([1, expect.stringContaining("archive.tar.gz")]);
  }
});

const announced = (n: number) => ({
  envID: `env-${n}`,
  envKey: `key-${n}`,
  envName: `Name ${n}`,
  mobKey: `mob-${n}`,
  projKey: "shop",
  projName: "Shop",
  sdkKey: { value: `sdk-${n}` },
  defaultTtl: 0,
  secureMode: false,
  version: 1,
});

test("automatic configuration: environments are served as upstream names them, and go when it does no more", async () => {
  const upstream = await fakeUpstream("sdk-1", "sdk-2", "sdk-3");
  const configuration = upstream.autoConfig("rel-1");
  configuration.setConfiguration({ environments: { "env-1": announced(1), "env-2": announced(2) } });
  const relay = await start(
    `${mainSection(upstream)}[AutoConfig]\nkey = rel-1\nenvAllowedOrigin = https://a.example\n`,
  );
  await Promise.all(["sdk-1", "sdk-2"].map((key) => served(relay.base, key)));
  expect(Object.keys(await (await flagsOf(relay.base, "sdk-1")).json())).toEqual(["my-flag"]);
  const page = await strangePage(relay.base, "env-1");
  expect([page.status, page.headers.get("access-control-allow-origin")]).toEqual([200, "https://a.example"]);
  configuration.put({ environments: { "env-2": announced(2), "env-3": announced(3) } });
  await served(relay.base, "sdk-3");
  await served(relay.base, "sdk-1", 401);
  const status = await eventually(
    async () => (await fetch(`${relay.base}/status`)).json(),
    ({ status }) => status === "healthy",
  );
  expect(Object.keys(status.environments).sort()).toEqual(["env-2", "env-3"]);
  expect(status.configurationStatus.state).toBe("VALID");
  expect(await relay.end()).toBe(0);
  expect(relay.printed()).not.toContain("rel-1");
});

test("with --host nothing listens on another interface, whatever it is for", async () => {
  const port = await freePort();
  const relay = await start(
    `[Environment "a"]\nsdkKey = sdk-a\n[Main]\nstreamUri = http://127.0.0.1:1\n[Wye]\nstatusPort = ${port}\n`,
  );
  for (const base of [relay.base, `http://127.0.0.1:${port}`]) {
    expect((await fetch(`${base}/live`)).status).toBeGreaterThan(0);
    await expect(fetch(`${base.replace("127.0.0.1", "127.0.0.2")}/live`)).rejects.toThrow();
  }
});
