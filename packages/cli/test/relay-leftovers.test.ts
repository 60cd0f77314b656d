import { expect, onTestFinished, test, vi } from "vitest";
import { freePort } from "../../../scripts/databases/free-port.js";
import { copyCertificate, tlsLines } from "./certificate-files.js";
import { fakeUpstream, mainSection, start, writeConfig } from "./relay-and-upstream.js";
import { makeFolder } from "./run-program.js";
import { startRelay } from "./run-relay.js";

const environment = '[Environment "a"]\nsdkKey = sdk-a\n';

test("when it has ended nothing listens any more, and nobody looks at its certificate", async () => {
  const timers = { set: vi.spyOn(globalThis, "setInterval"), clear: vi.spyOn(globalThis, "clearInterval") };
  onTestFinished(() => {
    for (const one of Object.values(timers)) one.mockRestore();
  });
  const [status, metrics] = [await freePort(), await freePort()];
  const cwd = makeFolder();
  for (const what of ["certificate", "key"] as const) copyCertificate(cwd, "first", what);
  const upstream = await fakeUpstream("sdk-a");
  const operators = `[Wye]\nstatusPort = ${status}\n[Prometheus]\nenabled = true\nport = ${metrics}\n`;
  writeConfig(cwd, mainSection(upstream, ...tlsLines) + environment + operators);
  const relay = await startRelay(["--config", "relay.conf"], { cwd });
  await relay.until(`metrics on port ${metrics}`);
  const looks = timers.set.mock.results.filter((_, index) => timers.set.mock.calls[index]?.[1] === 10_000);
  expect(looks).toHaveLength(1);
  expect(await relay.end()).toBe(0);
  expect(timers.clear).toHaveBeenCalledWith(looks[0]?.value);
  for (const port of [status, metrics, Number(new URL(relay.base).port)])
    await expect(fetch(`http://127.0.0.1:${port}/live`)).rejects.toThrow();
});

test("what is doubtful is told at the start, behind what is started", async () => {
  const relay = await start(
    `${environment}[Main]\nstreamUri = http://127.0.0.1:1\n[Datadog]\nenabled = true\n`,
  );
  const lines = relay.printed().split("\n");
  expect(lines[0]).toMatch(/ INFO: Starting wye relay version /);
  expect(lines[1]).toMatch(/ WARN: relay\.conf:\d+: metrics are not sent to Datadog: /);
  expect(relay.printed()).not.toContain("base address for streaming");
});
