import type { Section } from "../property.js";
import { duration } from "../quantities.js";
import { boolean, list, logFormat, port, text, workerCount } from "../value-types.js";

export const prometheus = {
  enabledBy: ["enabled"],
  properties: {
    enabled: {
      variable: "USE_PROMETHEUS",
      type: boolean,
      default: "false",
      sets: "a listener",
      about: "Whether `/metrics` answers on a port of its own.",
    },
    prefix: {
      variable: "PROMETHEUS_PREFIX",
      type: text,
      sets: "nothing: a warning",
      about: "Accepted: names of metrics begin with `wye_relay_`.",
    },
    port: {
      variable: "PROMETHEUS_PORT",
      type: port,
      default: "8031",
      sets: "a listener",
      about: "That port.",
    },
  },
} as const satisfies Section;

const notSent = "nothing: a warning";

export const datadog = {
  enabledBy: ["enabled"],
  properties: {
    enabled: {
      variable: "USE_DATADOG",
      type: boolean,
      default: "false",
      sets: notSent,
      about: "Not sent: let the agent of Datadog read `/metrics`, with its OpenMetrics check.",
    },
    prefix: { variable: "DATADOG_PREFIX", type: text, sets: notSent, about: "Accepted." },
    traceAddr: { variable: "DATADOG_TRACE_ADDR", type: text, sets: notSent, about: "Accepted." },
    statsAddr: { variable: "DATADOG_STATS_ADDR", type: text, sets: notSent, about: "Accepted." },
    tag: {
      variable: "DATADOG_TAG_",
      type: list,
      sets: notSent,
      about: "Accepted; `name:value` in files, `DATADOG_TAG_name=value` as variables.",
    },
  },
} as const satisfies Section;

export const stackdriver = {
  enabledBy: ["enabled"],
  properties: {
    enabled: {
      variable: "USE_STACKDRIVER",
      type: boolean,
      default: "false",
      sets: notSent,
      about: "Not sent: let a collector read `/metrics`.",
    },
    prefix: { variable: "STACKDRIVER_PREFIX", type: text, sets: notSent, about: "Accepted." },
    projectID: { variable: "STACKDRIVER_PROJECT_ID", type: text, sets: notSent, about: "Accepted." },
  },
} as const satisfies Section;

/** What ld-relay does not have. It stands apart, so that the way back is to delete one section. */
export const wye = {
  properties: {
    logFormat: {
      variable: "WYE_LOG_FORMAT",
      type: logFormat,
      default: "text",
      sets: "the log",
      about: "Lines for people, or one JSON object a line.",
    },
    statusPort: {
      variable: "WYE_STATUS_PORT",
      type: port,
      sets: "publicStatus, a listener",
      about: "Serves `/status`, `/live`, `/ready` and `/metrics` there, and no longer where SDKs are served.",
    },
    drainTimeout: {
      variable: "WYE_DRAIN_TIMEOUT",
      type: duration,
      default: "10s",
      sets: "close({ within })",
      about: "How long streams and waiting events may take when the program is asked to end.",
    },
    openTelemetry: {
      variable: "WYE_OPEN_TELEMETRY",
      type: boolean,
      default: "false",
      sets: "metrics",
      about: "Sends measurements by OTLP, as the variables `OTEL_EXPORTER_OTLP_…` say.",
    },
    workers: {
      variable: "WYE_WORKERS",
      type: workerCount,
      default: "1",
      sets: "processes",
      about: "How many processes serve SDKs, with one connection to upstream for each environment.",
    },
    clientPing: {
      variable: "WYE_CLIENT_PING",
      type: boolean,
      default: "false",
      sets: "environments.NAME.clientStream",
      about: "Whether client-side streams carry `ping` only, as with ld-relay, instead of evaluated flags.",
    },
    dataFolder: {
      variable: "WYE_DATA_FOLDER",
      type: text,
      sets: "store: fileStore",
      about: "Keeps the last good flags in this folder, for starts without upstream; instead of a database.",
    },
  },
} as const satisfies Section;
