import { basicLogger, createClient, type LDClient } from "@launchdarkly/js-client-sdk";
import type { BrowserSdk } from "./browser-sdk.js";

let client: LDClient;

const sdk: BrowserSdk = {
  async start({ relay, envId, user, useReport, hash }) {
    client = createClient(
      envId,
      { kind: "user", key: user },
      {
        baseUri: relay,
        streamUri: relay,
        eventsUri: relay,
        streaming: true,
        useReport,
        withReasons: true,
        streamInitialReconnectDelay: 0.05,
        logger: basicLogger({ level: "warn" }),
      },
    );
    // Not written as an argument: under NodeNext the types of this SDK lose the time limit.
    const limits = {
      timeout: 60,
      identifyOptions: { noTimeout: true, ...(hash === undefined ? {} : { hash }) },
    };
    const result = await client.start(limits);
    return result.status === "complete" ? "ready" : String("error" in result ? result.error : result.status);
  },
  allFlags: () => client.allFlags(),
  variation: (key, fallback) => client.variation(key, fallback),
  detail: (key) => client.variationDetail(key),
  async identify(user, hash) {
    const result = await client.identify(
      { kind: "user", key: user },
      { noTimeout: true, ...(hash === undefined ? {} : { hash }) },
    );
    if (result.status !== "completed") throw new Error(result.status);
  },
  track: (key, data) => client.track(key, data),
  flush: () => client.flush(),
  close: () => client.close(),
};
window.sdk = sdk;
