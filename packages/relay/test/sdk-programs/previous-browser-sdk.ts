import { basicLogger, initialize, type LDClient } from "launchdarkly-js-client-sdk";
import type { BrowserSdk } from "./browser-sdk.js";

let client: LDClient;

const sdk: BrowserSdk = {
  start({ relay, envId, user, useReport, hash }) {
    client = initialize(
      envId,
      { kind: "user", key: user },
      {
        baseUrl: relay,
        streamUrl: relay,
        eventsUrl: relay,
        streaming: true,
        useReport,
        evaluationReasons: true,
        streamReconnectDelay: 50,
        logger: basicLogger({ level: "warn" }),
        ...(hash === undefined ? {} : { hash }),
      },
    );
    return new Promise((resolve) => {
      client.on("initialized", () => resolve("ready"));
      client.on("failed", (error) => resolve(String(error)));
    });
  },
  allFlags: () => client.allFlags(),
  variation: (key, fallback) => client.variation(key, fallback),
  detail: (key) => client.variationDetail(key),
  identify: (user, hash) => client.identify({ kind: "user", key: user }, hash).then(() => {}),
  track: (key, data) => client.track(key, data),
  flush: () => client.flush(),
  close: () => client.close(),
};
window.sdk = sdk;
