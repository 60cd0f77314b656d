import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { fakeUpstream, mainSection, writeConfig } from "./relay-and-upstream.js";
import { makeFolder, wye } from "./run-program.js";

describe("exitAlways", () => {
  test("ends with 0 when every environment has data", async () => {
    const cwd = makeFolder();
    const upstream = await fakeUpstream("sdk-a");
    writeConfig(cwd, `${mainSection(upstream, "exitAlways")}[Environment "a"]\nsdkKey = sdk-a\n`);
    expect(await wye(["relay", "--config", "relay.conf"], { cwd })).toMatchObject({ code: 0, err: "" });
  });

  test("ends with 1 when one has failed", async () => {
    const cwd = makeFolder();
    const upstream = await fakeUpstream("sdk-a");
    const environments = `[Environment "a"]\nsdkKey = sdk-a\n[Environment "b"]\nsdkKey = sdk-unknown\n`;
    writeConfig(cwd, `${mainSection(upstream, "exitAlways")}${environments}`);
    const { code, err } = await wye(["relay", "--config", "relay.conf"], { cwd });
    expect(code).toBe(1);
    expect(err).toContain("one or more environments failed to initialize");
  });
});

test("with exitAlways it ends with 1 at once when it is asked to before every environment has data", async () => {
  const silent = createServer();
  const asked = new Promise((resolve) => silent.once("request", resolve));
  silent.listen(0, "127.0.0.1");
  await new Promise((resolve) => silent.once("listening", resolve));
  onTestFinished(() => {
    silent.close();
    silent.closeAllConnections();
  });
  const { port } = silent.address() as AddressInfo;
  const cwd = makeFolder();
  writeConfig(
    cwd,
    `[Main]\nexitAlways = true\ninitTimeout = 10h\nstreamUri = http://127.0.0.1:${port}\n[Environment "a"]\nsdkKey = sdk-a\n`,
  );
  const ending = new AbortController();
  const ended = wye(["relay", "--config", "relay.conf"], { cwd, interrupted: ending.signal });
  await asked;
  ending.abort();
  const { code, err } = await ended;
  expect(code).toBe(1);
  expect(err).toContain("asked to end before every environment had data");
});

describe("exitAlways with a database", () => {
  test("ends with 1 when the database could not be written", async () => {
    const cwd = makeFolder();
    const upstream = await fakeUpstream("sdk-a");
    const environment = `[Environment "a"]\nsdkKey = sdk-a\nprefix = a\n`;
    const redis = "[Redis]\nhost = 127.0.0.1\nport = 1\n[Wye]\ndrainTimeout = 100ms\n";
    writeConfig(cwd, `${mainSection(upstream, "exitAlways")}${environment}${redis}`);
    const { code, err } = await wye(["relay", "--config", "relay.conf"], { cwd });
    expect(code).toBe(1);
    expect(err).toContain("[a] the database does not have the flags: it could not be written");
  });
});
