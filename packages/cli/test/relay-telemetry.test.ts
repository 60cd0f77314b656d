import { spawnSync } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import {
  eventually,
  fakeUpstream,
  flagsOf,
  mainSection,
  served,
  start,
  writeConfig,
} from "./relay-and-upstream.js";
import { makeFolder } from "./run-program.js";

// Packages can only be hidden from the program as it is installed.
const program = fileURLToPath(new URL("../dist/main.js", import.meta.url));

/** A collector that keeps what it is sent; one that is `broken` takes nothing. */
async function startCollector(isBroken = false) {
  const received: { readonly path: string; readonly body: string; readonly key: unknown }[] = [];
  const server = createServer(async (req, res) => {
    received.push({ path: req.url ?? "", body: await text(req), key: req.headers["api-key"] });
    res.writeHead(isBroken ? 400 : 200, { "content-type": "application/json" });
    res.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  // The exporter of OpenTelemetry reads the variables of this process.
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", `http://127.0.0.1:${port}`);
  vi.stubEnv("OTEL_EXPORTER_OTLP_HEADERS", "api-key=secret");
  vi.stubEnv("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment=test");
  onTestFinished(() => void vi.unstubAllEnvs());
  return received;
}

const environment = '[Environment "a"]\nsdkKey = sdk-a\n';
const interval = { OTEL_METRIC_EXPORT_INTERVAL: "50" };

test("measurements are sent to a collector, with what they are of, and the last of them when the program ends", async () => {
  const received = await startCollector();
  const upstream = await fakeUpstream("sdk-a");
  const relay = await start(`${mainSection(upstream)}${environment}[Wye]\nopenTelemetry = true\n`, interval);
  await served(relay.base, "sdk-a");
  const all = () => received.map(({ body }) => body).join("");
  await eventually(
    async () => all(),
    (sent) => sent.includes('"wye.relay.requests"'),
  );
  await (await flagsOf(relay.base, "unknown")).text();
  expect(await relay.end()).toBe(0);
  expect(received[0]).toMatchObject({ path: "/v1/metrics", key: "secret" });
  const last = JSON.parse(received.at(-1)?.body ?? "").resourceMetrics[0];
  const attributes = last.resource.attributes.map(({ key, value }: never) => [key, Object.values(value)[0]]);
  expect(attributes).toEqual(
    expect.arrayContaining([
      ["service.name", "wye-relay"],
      ["deployment.environment", "test"],
    ]),
  );
  expect(JSON.stringify(last)).toContain("wye.relay.requests_rejected");
});

test("packages that are not installed are missed by --check already", async () => {
  const cwd = makeFolder();
  writeConfig(cwd, `${environment}[Wye]\nopenTelemetry = true\n`);
  const hide = `export const resolve = (name, context, next) => {
    if (name.startsWith("@opentelemetry/")) throw Object.assign(new Error(name), { code: "ERR_MODULE_NOT_FOUND" });
    return next(name, context);
  };`;
  const register = `import { register } from "node:module"; register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(hide)}`)});`;
  const args = ["--import", `data:text/javascript,${encodeURIComponent(register)}`, program];
  const { status, stderr } = spawnSync(
    process.execPath,
    [...args, "relay", "--config", "relay.conf", "--check"],
    { cwd, encoding: "utf8" },
  );
  expect(stderr).toContain("npm install @opentelemetry/api");
  expect(status).toBe(1);
});

test("a collector that takes nothing is told of, and hinders nobody", async () => {
  await startCollector(true);
  const upstream = await fakeUpstream("sdk-a");
  const relay = await start(`${mainSection(upstream)}${environment}[Wye]\nopenTelemetry = true\n`, interval);
  await relay.until("WARN: OpenTelemetry: ");
  await served(relay.base, "sdk-a");
  expect(await relay.end()).toBe(0);
});
