import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test, vi } from "vitest";
import { built } from "../../../scripts/built.js";
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
const program = built(new URL("..", import.meta.url), "main.js");

/** Where something listens that answers like this. */
async function listenAs(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

/** A collector that keeps what it is sent; one that is `broken` takes nothing. */
async function startCollector(isBroken = false) {
  const received: { readonly path: string; readonly body: string; readonly key: unknown }[] = [];
  const address = await listenAs(async (req, res) => {
    received.push({ path: req.url ?? "", body: await text(req), key: req.headers["api-key"] });
    res.writeHead(isBroken ? 400 : 200, { "content-type": "application/json" });
    res.end("{}");
  });
  // The exporter of OpenTelemetry reads the variables of this process.
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", address);
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
  // On a slow machine the last of it arrives behind the end, because this process goes on.
  const lastText = await eventually(
    async () => received.at(-1)?.body ?? "",
    (sent) => sent.includes("wye.relay.requests_rejected"),
  );
  const last = JSON.parse(lastText).resourceMetrics[0];
  const attributes = last.resource.attributes.map(({ key, value }: never) => [key, Object.values(value)[0]]);
  expect(attributes).toEqual(
    expect.arrayContaining([
      ["service.name", "wye-relay"],
      ["deployment.environment", "test"],
    ]),
  );
});

test("a collector that takes nothing is told of, and hinders nobody", async () => {
  await startCollector(true);
  const upstream = await fakeUpstream("sdk-a");
  const relay = await start(`${mainSection(upstream)}${environment}[Wye]\nopenTelemetry = true\n`, interval);
  await relay.until("WARN: OpenTelemetry: ");
  await served(relay.base, "sdk-a");
  expect(await relay.end()).toBe(0);
});

test.each<[string, RequestListener]>([
  ["never answers", () => {}],
  ["wants to be asked again in an hour", (_, res) => res.writeHead(503, { "retry-after": "3600" }).end()],
])("a collector that %s does not keep the program", async (_, answer) => {
  const asked = vi.fn(answer);
  const address = await listenAs(asked);
  const upstream = await fakeUpstream("sdk-a");
  const cwd = makeFolder();
  writeConfig(cwd, `${mainSection(upstream)}${environment}[Wye]\nopenTelemetry = true\n`);
  const relay = spawn(
    process.execPath,
    [program, "relay", "--config", "relay.conf", "--port", "0", "--host", "127.0.0.1"],
    {
      cwd,
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: address,
        // Longer than any test, and so does the exporter wait unless it is left behind.
        OTEL_EXPORTER_OTLP_TIMEOUT: "86400000",
        OTEL_METRIC_EXPORT_INTERVAL: "50",
      },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const ended = once(relay, "exit");
  onTestFinished(() => void relay.kill("SIGKILL"));
  const printed = text(relay.stdout);
  await eventually(
    async () => asked.mock.calls.length,
    (times) => times > 0,
  );
  relay.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
  expect(await printed).toContain("INFO: ended\n");
});

test.each(["1e99", "2147483648", "0.001", "0", "-1", "soon"])(
  "an interval of %s, which no timer keeps, is told of, and the usual one holds",
  async (everyMs) => {
    const received = await startCollector();
    const upstream = await fakeUpstream("sdk-a");
    const relay = await start(`${mainSection(upstream)}${environment}[Wye]\nopenTelemetry = true\n`, {
      OTEL_METRIC_EXPORT_INTERVAL: everyMs,
    });
    await relay.until(`WARN: OpenTelemetry: OTEL_METRIC_EXPORT_INTERVAL is a whole number of milliseconds`);
    await served(relay.base, "sdk-a");
    expect(await relay.end()).toBe(0);
    // On a slow machine the last of it arrives behind the end, because this process goes on.
    await eventually(
      async () => received.length,
      (posts) => posts > 0,
    );
    expect(received).toHaveLength(1);
  },
);
