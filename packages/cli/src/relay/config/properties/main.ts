import type { Section } from "../property.js";
import { duration, size } from "../quantities.js";
import { boolean, count, httpAddress, logLevel, port, text, tlsVersion } from "../value-types.js";

export const main = {
  properties: {
    streamUri: {
      variable: "STREAM_URI",
      type: httpAddress,
      default: "https://stream.launchdarkly.com",
      sets: "upstream.stream",
      about: "Where flags come from.",
    },
    baseUri: {
      variable: "BASE_URI",
      type: httpAddress,
      default: "https://sdk.launchdarkly.com",
      sets: "upstream.polling",
      about:
        "Where the members of big segments are asked for. `https://app.launchdarkly.com` counts as not set.",
    },
    clientSideBaseUri: {
      variable: "CLIENT_SIDE_BASE_URI",
      type: httpAddress,
      sets: "upstream.app",
      about:
        "Where goals are asked for. Not set: `baseUri` if that is set, else `https://clientsdk.launchdarkly.com`.",
    },
    exitOnError: {
      variable: "EXIT_ON_ERROR",
      type: boolean,
      default: "false",
      sets: "nothing without `exitAlways`, as in ld-relay",
      about: "Accepted: with `exitAlways` a failure ends the program with 1 in any case.",
    },
    exitAlways: {
      variable: "EXIT_ALWAYS",
      type: boolean,
      default: "false",
      sets: "waits for `relay.ready()` and for members of big segments, and ends",
      about:
        "Fills a database once: ends with 0 when every environment has data and the members of its big segments are written, with 1 when one has failed or that took longer than `initTimeout`.",
    },
    ignoreConnectionErrors: {
      variable: "IGNORE_CONNECTION_ERRORS",
      type: boolean,
      default: "false",
      sets: "nothing: the relay goes on trying in any case",
      about: "Accepted.",
    },
    port: {
      variable: "PORT",
      type: port,
      default: "8030",
      sets: "the listener",
      about: "Where SDKs are served, on all interfaces.",
    },
    initTimeout: {
      variable: "INIT_TIMEOUT",
      type: duration,
      default: "10s",
      sets: "initTimeout",
      about: "How long an environment may take to get data before it counts as having none.",
    },
    heartbeatInterval: {
      variable: "HEARTBEAT_INTERVAL",
      type: duration,
      default: "3m",
      sets: "streams.heartbeat",
      about: "How often a comment keeps idle streams open; 0 or less for never.",
    },
    maxClientConnectionTime: {
      variable: "MAX_CLIENT_CONNECTION_TIME",
      type: duration,
      sets: "streams.maxConnectionTime",
      about: "After this time a stream ends and the SDK connects anew.",
    },
    disconnectedStatusTime: {
      variable: "DISCONNECTED_STATUS_TIME",
      type: duration,
      default: "1m",
      sets: "disconnectedStatusTime",
      about: "How long a lost connection stays `connected` in the status.",
    },
    tlsEnabled: {
      variable: "TLS_ENABLED",
      type: boolean,
      default: "false",
      sets: "the listener",
      about: "Whether the listener speaks TLS.",
    },
    tlsCert: {
      variable: "TLS_CERT",
      type: text,
      sets: "the listener",
      about: "The file of the certificate, with those between it and the root; read again when it changes.",
    },
    tlsKey: {
      variable: "TLS_KEY",
      type: text,
      sets: "the listener",
      about: "The file of its private key; read again when it changes.",
    },
    tlsMinVersion: {
      variable: "TLS_MIN_VERSION",
      type: tlsVersion,
      default: "1.2",
      sets: "the listener",
      about: "The oldest version of TLS that clients may speak.",
    },
    logLevel: {
      variable: "LOG_LEVEL",
      type: logLevel,
      default: "info",
      sets: "the log",
      about: "From which importance on lines are written; `none` for no log.",
    },
    bigSegmentsStaleAsDegraded: {
      variable: "BIG_SEGMENTS_STALE_AS_DEGRADED",
      type: boolean,
      default: "false",
      sets: "bigSegments.staleAsDegraded",
      about: "Whether big segments that are out of date make the status `degraded`.",
    },
    bigSegmentsStaleThreshold: {
      variable: "BIG_SEGMENTS_STALE_THRESHOLD",
      type: duration,
      default: "5m",
      sets: "bigSegments.staleThreshold",
      about: "After this time without word from upstream they are out of date.",
    },
    expiredCredentialCleanupInterval: {
      variable: "EXPIRED_CREDENTIAL_CLEANUP_INTERVAL",
      type: duration,
      default: "1m",
      sets: "nothing: keys end at their moment",
      about: "How often ld-relay looks for expired keys, at least 100ms; accepted, and not needed here.",
    },
  },
} as const satisfies Section;

export const events = {
  properties: {
    sendEvents: {
      variable: "USE_EVENTS",
      type: boolean,
      default: "false",
      sets: "events",
      about: "Whether events of SDKs are passed on; otherwise they are refused with 503.",
    },
    eventsUri: {
      variable: "EVENTS_HOST",
      type: httpAddress,
      default: "https://events.launchdarkly.com",
      sets: "upstream.events",
      about: "Where events go.",
    },
    flushInterval: {
      variable: "EVENTS_FLUSH_INTERVAL",
      type: duration,
      default: "5s",
      sets: "events.flushInterval",
      about: "How often collected events are sent.",
    },
    capacity: {
      variable: "EVENTS_CAPACITY",
      type: count,
      default: "1000",
      sets: "events.capacity",
      about: "How many events each queue keeps while upstream does not take them.",
    },
    inlineUsers: {
      variable: "EVENTS_INLINE_USERS",
      type: boolean,
      default: "false",
      sets: "nothing, as in ld-relay 8",
      about: "Accepted for old files.",
    },
    maxInboundPayloadSize: {
      variable: "EVENTS_MAX_INBOUND_PAYLOAD_SIZE",
      type: size,
      default: "10MiB",
      sets: "events.maxBodyBytes",
      about: "The largest body of events that is taken, unpacked. ld-relay has no limit unless one is set.",
    },
  },
} as const satisfies Section;
