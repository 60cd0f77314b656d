import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, connect } from "node:net";
import type { RelayHandler } from "@wye/relay";
import { expect, onTestFinished, test, vi } from "vitest";
import { freePort } from "../../../../scripts/databases/free-port.js";
import { loadConfig } from "./config/load-config.js";
import { openListener, openOperatorListeners } from "./listeners.js";

const host = "127.0.0.1";

/** A configuration with these lines, and a log that is kept. */
async function setUp(lines: string) {
  const readText = async () => `${lines}\n[Environment "a"]\nsdkKey = sdk-a\n`;
  const { config } = await loadConfig({ cwd: "/", file: "f", readText });
  const printed: string[] = [];
  const print = (line: string) => void printed.push(line);
  const log = { debug() {}, info: print, warn: print, error: print, follow() {} };
  return { config, log, printed, host };
}

const answer: RelayHandler & RequestListener = ({ url }, res) => void res.end(`answer to ${url}`);

/** What a port says; nothing where nobody listens. */
async function ask(port: number, path: string, at = host): Promise<string | undefined> {
  const response = await fetch(`http://${at}:${port}${path}`).catch(() => undefined);
  return response && `${response.status} ${await response.text()}`;
}

test("operators have a port for all, and one for metrics alone, until they are closed", async () => {
  const [status, metrics] = [await freePort(), await freePort()];
  const parts = await setUp(
    `[Wye]\nstatusPort = ${status}\n[Prometheus]\nenabled = true\nport = ${metrics}\n`,
  );
  const { close } = await openOperatorListeners(answer, parts);
  onTestFinished(close);
  expect(parts.printed).toEqual([`status on port ${status}`, `metrics on port ${metrics}`]);
  expect(await ask(status, "/status")).toBe("200 answer to /status");
  expect(await ask(metrics, "/metrics")).toBe("200 answer to /metrics");
  expect(await ask(metrics, "/metrics?x=1")).toBe("200 answer to /metrics?x=1");
  for (const path of ["/status", "/", "/metrics/x"]) expect(await ask(metrics, path)).toBe("404 ");
  close();
  for (const port of [status, metrics]) expect(await ask(port, "/metrics")).toBeUndefined();
});

test("with an interface nothing listens on another one", async () => {
  const [status, metrics] = [await freePort(), await freePort()];
  const parts = await setUp(
    `[Wye]\nstatusPort = ${status}\n[Prometheus]\nenabled = true\nport = ${metrics}\n`,
  );
  const operators = await openOperatorListeners(answer, { ...parts, host: "127.0.0.2" });
  onTestFinished(operators.close);
  const given = { port: await freePort(), certificate: undefined, host: "127.0.0.2" };
  const sdks = await openListener({ handler: answer }, { ...parts, ...given });
  onTestFinished(() => sdks.close());
  for (const port of [status, metrics, sdks.port]) {
    expect(await ask(port, "/metrics", "127.0.0.2")).toBe("200 answer to /metrics");
    expect(await ask(port, "/metrics")).toBeUndefined();
  }
});

test("without operators nothing listens for them", async () => {
  const parts = await setUp(`[Prometheus]\nport = ${await freePort()}\n`);
  const { close } = await openOperatorListeners(answer, parts);
  close();
  expect(parts.printed).toEqual([]);
});

test("where one port of operators is taken none of the others stays open", async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, host, resolve));
  onTestFinished(() => void other.close());
  const { port: taken } = other.address() as AddressInfo;
  const status = await freePort();
  const parts = await setUp(`[Wye]\nstatusPort = ${status}\n[Prometheus]\nenabled = true\nport = ${taken}\n`);
  await expect(openOperatorListeners(answer, parts)).rejects.toMatchObject({
    name: "StartError",
    message: expect.stringMatching(
      `^failed to start Prometheus listener: Error starting http listener on port: ${taken}: .*EADDRINUSE`,
    ),
  });
  expect(await ask(status, "/status")).toBeUndefined();
});

test.each([
  ["that of the configuration", undefined],
  ["one that is given", 0],
])("SDKs are served on %s", async (_, port) => {
  const configured = await freePort();
  const parts = await setUp(`[Main]\nport = ${configured}\n`);
  const given = port === undefined ? {} : { port };
  const listener = await openListener({ handler: answer }, { ...parts, ...given, certificate: undefined });
  onTestFinished(() => listener.close());
  expect(listener.port === configured).toBe(port === undefined);
  expect(parts.printed).toEqual([`listening on port ${listener.port}`]);
  expect(await ask(listener.port, "/sdk/flags")).toBe("200 answer to /sdk/flags");
  listener.close();
  expect(await ask(listener.port, "/sdk/flags")).toBeUndefined();
});

test("a process that may open few files says when it has as many connections as it can have", async () => {
  const report = vi.spyOn(process.report, "getReport");
  onTestFinished(() => report.mockRestore());
  report.mockReturnValue({ userLimits: { open_files: { soft: 4 } } });
  const parts = await setUp("");
  const listener = await openListener({ handler: answer }, { ...parts, port: 0, certificate: undefined });
  onTestFinished(() => listener.close());
  for (let count = 0; count < 3; count++) {
    const socket = connect(listener.port, host).on("error", () => {});
    onTestFinished(() => void socket.destroy());
  }
  await expect
    .poll(() => parts.printed.slice(1))
    .toEqual([expect.stringMatching(/^there are 2 connections, /)]);
});
