import { type Logger, type MetricsSink, openTelemetrySink } from "@wye/relay";
import { loadOptional } from "../load-optional.js";
import { version } from "../version.js";
import type { Config } from "./config/config.js";
import type { Variables } from "./config/settings-from-environment.js";

/** Where measurements go. */
export interface Telemetry {
  readonly metrics: MetricsSink;
  /** Sends what has not been sent. */
  close(): Promise<void>;
}

const packages = [
  "@opentelemetry/api",
  "@opentelemetry/sdk-metrics",
  "@opentelemetry/resources",
  "@opentelemetry/exporter-metrics-otlp-http",
];

/** What the figures are figures of, and where troubles with sending them go. */
export interface TelemetryContext {
  readonly env: Variables;
  readonly logger: Logger;
  readonly worker: number | undefined;
  /** Called when the collector was given up at the end: the exporter still waits for it, and cannot be told not to. */
  readonly leaveBehind?: (() => void) | undefined;
}

/** A collector that is away must not keep the program. */
const longestCloseMs = 2000;
/** As OpenTelemetry has it. */
const usualIntervalMs = 60_000;
const longestTimeoutMs = 30_000;
/** What a timer can wait for. */
const longestIntervalMs = 2 ** 31 - 1;

/** Throws what is missing, if the configuration asks for measurements to be sent. */
export async function tryOpenTelemetry(config: Config): Promise<void> {
  if (config.of("Wye").openTelemetry) await loadPackages();
}

function loadPackages() {
  return loadOptional("OpenTelemetry", packages, () =>
    Promise.all([
      import("@opentelemetry/api"),
      import("@opentelemetry/sdk-metrics"),
      import("@opentelemetry/exporter-metrics-otlp-http"),
      import("@opentelemetry/resources"),
    ]),
  );
}

/** Sends measurements by OTLP, if the configuration says so; where to and how often is in the variables of OpenTelemetry. */
export async function openTelemetryFrom(
  config: Config,
  { env, logger, worker, leaveBehind }: TelemetryContext,
): Promise<Telemetry | undefined> {
  if (!config.of("Wye").openTelemetry) return undefined;
  const [{ diag, DiagLogLevel }, sdk, { OTLPMetricExporter }, resources] = await loadPackages();
  const warn = (message: string) => logger.warn(`OpenTelemetry: ${message}`);
  const unheard = () => {};
  diag.setLogger(
    { error: warn, warn, info: unheard, debug: unheard, verbose: unheard },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const own = resources.resourceFromAttributes({
    "service.name": "wye-relay",
    "service.version": version(),
    ...(worker === undefined ? {} : { "service.instance.id": String(worker) }),
  });
  const exportIntervalMillis = intervalFrom(env, warn);
  const reader = new sdk.PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter(),
    exportIntervalMillis,
    exportTimeoutMillis: Math.min(exportIntervalMillis, longestTimeoutMs),
  });
  const provider = new sdk.MeterProvider({
    resource: own.merge(resources.detectResources({ detectors: [resources.envDetector] })),
    readers: [reader],
  });
  return {
    metrics: openTelemetrySink(provider.getMeter("@wye/relay")),
    close: () => provider.shutdown({ timeoutMillis: longestCloseMs }).catch(() => leaveBehind?.()),
  };
}

function intervalFrom(env: Variables, warn: (message: string) => void): number {
  const { OTEL_METRIC_EXPORT_INTERVAL: text } = env;
  if (text === undefined || text === "") return usualIntervalMs;
  const ms = Number(text);
  if (Number.isInteger(ms) && ms > 0 && ms <= longestIntervalMs) return ms;
  warn(
    `OTEL_METRIC_EXPORT_INTERVAL is a whole number of milliseconds from 1 to ${longestIntervalMs}: ${usualIntervalMs} holds in place of ${JSON.stringify(text)}`,
  );
  return usualIntervalMs;
}
