import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { copyCertificate } from "../../test/certificate-files.js";
import { folderWith } from "../../test/run-program.js";
import { loadConfig } from "./config/load-config.js";
import { askHealth, type HealthOptions } from "./health.js";

const healthy: RequestListener = ({ url }, res) =>
  void res.end(url === "/status" ? '{"status":"healthy"}' : url === "/live" ? "" : "elsewhere");

/** A program that answers on a port of this machine, with TLS or without. */
async function listen(answer: RequestListener, cwd?: string): Promise<number> {
  const pem = (what: string) => readFileSync(`${cwd}/${what}.pem`);
  const server =
    cwd === undefined
      ? createServer(answer)
      : createSecureServer({ cert: pem("certificate"), key: pem("key") }, answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

function withCertificate(): string {
  const { cwd } = folderWith({});
  copyCertificate(cwd, "first", "certificate");
  copyCertificate(cwd, "first", "key");
  return cwd;
}

/** What is said about a relay with these lines in its configuration. */
async function ask(cwd: string, lines: string, options: HealthOptions = {}): Promise<string> {
  writeFileSync(`${cwd}/relay.conf`, `[Main]\n${lines}\n[Environment "p"]\nsdkKey = sdk-p\n`);
  const { config } = await loadConfig({ cwd, file: "relay.conf" });
  let said = "";
  const printed = { columns: 80, write: (text: string) => (said += text) };
  const host = { out: printed, err: printed } as unknown as Parameters<typeof askHealth>[2];
  const code = await askHealth(config, options, host);
  return `${code} ${said.trim()}`;
}

const tls = "tlsEnabled = true\ntlsCert = certificate.pem\ntlsKey = key.pem";

test("a relay lives where it listens: on its port, in TLS if it speaks that", async () => {
  const cwd = withCertificate();
  expect(await ask(cwd, `port = ${await listen(healthy)}`)).toBe("0 live");
  expect(await ask(cwd, `port = ${await listen(healthy, cwd)}\n${tls}`)).toBe("0 live");
  const plain = await listen(healthy);
  expect(await ask(cwd, `port = ${plain}\n${tls}`)).toMatch(
    new RegExp(`^1 wye: no relay lives on port ${plain}: .+`),
  );
});

test("the port for operators comes first, and never speaks TLS", async () => {
  const cwd = withCertificate();
  const status = await listen(healthy);
  for (const lines of ["port = 1", `port = 1\n${tls}`])
    expect(await ask(cwd, `${lines}\n[Wye]\nstatusPort = ${status}`, { port: 2 })).toBe("0 live");
});

test("a port that is given stands for that of the file, and all interfaces for this machine", async () => {
  const cwd = withCertificate();
  const port = await listen(healthy);
  expect(await ask(cwd, "port = 1", { port })).toBe("0 live");
  expect(await ask(cwd, "port = 1", { port, host: "0.0.0.0" })).toBe("0 live");
});

test("what answers otherwise is no relay that lives", async () => {
  const cwd = withCertificate();
  const port = await listen((_, res) => void res.writeHead(503).end());
  expect(await ask(cwd, `port = ${port}`)).toBe(`1 wye: no relay lives on port ${port}: 503`);
  expect(await ask(cwd, `port = ${port}`, { json: true })).toBe(
    `1 {"live":false,"port":${port},"problem":"503"}`,
  );
});

test("all that a relay says of itself is printed, or why that is not known", async () => {
  const cwd = withCertificate();
  const port = await listen(healthy);
  expect(await ask(cwd, `port = ${port}`, { json: true })).toBe(
    `0 {"live":true,"port":${port},"status":{"status":"healthy"}}`,
  );
  const secret = await listen(({ url }, res) => void res.writeHead(url === "/live" ? 200 : 404).end());
  expect(await ask(cwd, `port = ${secret}`, { json: true })).toBe(
    `0 {"live":true,"port":${secret},"problem":"404"}`,
  );
  const odd = await listen((_, res) => void res.end("no JSON"));
  expect(await ask(cwd, `port = ${odd}`, { json: true })).toMatch(/"problem":"its status is no JSON: /);
});

test("an answer that breaks off is none", async () => {
  const cwd = withCertificate();
  const half: RequestListener = (_, res) => {
    res.writeHead(200, { "content-length": 10 });
    res.write("half", () => res.destroy());
  };
  expect(await ask(cwd, `port = ${await listen(half)}`)).toMatch(
    /^1 wye: no relay lives on port \d+: aborted$/,
  );
});

test("a port on which nobody answers is given up", async () => {
  const cwd = withCertificate();
  const port = await listen(() => {});
  expect(await ask(cwd, `port = ${port}`)).toBe(`1 wye: no relay lives on port ${port}: no answer in time`);
});

test.each([
  ["::", "::1:1"],
  ["::1", "::1:1"],
  ["0.0.0.0", "127.0.0.1:1"],
  ["127.0.0.2", "127.0.0.2:1"],
])("who listens on %s is asked at %s", async (host, asked) => {
  const cwd = withCertificate();
  expect((await ask(cwd, "port = 1", { host })).split(" ").filter((word) => word.endsWith(":1"))).toEqual([
    asked,
  ]);
});
