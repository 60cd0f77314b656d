import { expect, test } from "vitest";
import { copyCertificate } from "./certificate-files.js";
import { fakeUpstream, mainSection, served, writeConfig } from "./relay-and-upstream.js";
import { makeFolder } from "./run-program.js";
import { startRelay } from "./run-relay.js";

test("an authority that was replaced is said to need a restart, each time that the files are read", async () => {
  const upstream = await fakeUpstream("sdk-a");
  const cwd = makeFolder();
  copyCertificate(cwd, "first", "certificate");
  const lines = '[Proxy]\ncaCertFiles = certificate.pem\n[Environment "a"]\nsdkKey = sdk-a\n';
  writeConfig(cwd, mainSection(upstream) + lines);
  const relay = await startRelay(["--config", "relay.conf"], { cwd });
  await served(relay.base, "sdk-a", 200);
  const told = "[Proxy] caCertFiles has other certificates in it; they need a restart";
  relay.reload();
  await relay.until("read configuration file relay.conf again");
  expect(relay.printed()).not.toContain(told);
  copyCertificate(cwd, "second", "certificate");
  relay.reload();
  await relay.until(told);
  relay.reload();
  await relay.until(told, 2);
  expect(await relay.end()).toBe(0);
});
