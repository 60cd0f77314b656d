import { type Logger, type MetricsSink, openTelemetrySink } from "@wye/relay";
import { version } from "../version.js";
import type { Config } from "./config/config.js";
import type { Variables } from "./config/settings-from-environment.js";
import { loadOptional } from "./load-optional.js";

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
}

/** A collector that is away must not keep the program. */
const longestCloseMs = 2000;

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
  { env, logger, worker }: TelemetryContext,
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
  const everyMs = Number(env.OTEL_METRIC_EXPORT_INTERVAL ?? Number.NaN);
  const reader = new sdk.PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter(),
    ...(everyMs > 0 ? { exportIntervalMillis: everyMs, exportTimeoutMillis: Math.min(everyMs, 30_000) } : {}),
  });
  const provider = new sdk.MeterProvider({
    resource: own.merge(resources.detectResources({ detectors: [resources.envDetector] })),
    readers: [reader],
  });
  return {
    metrics: openTelemetrySink(provider.getMeter("@wye/relay")),
    close: () => provider.shutdown({ timeoutMillis: longestCloseMs }).catch(() => {}),
  };
}
