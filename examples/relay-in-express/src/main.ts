import { createRelay } from "@wye/relay";
import { createApp } from "./app.js";

const relay = createRelay({
  environments: {
    production: {
      sdkKey: process.env.SDK_KEY ?? "sdk-example",
      envId: process.env.ENV_ID ?? "507f1f77bcf86cd799439011",
    },
  },
  logger: console,
});
const app = await createApp(relay);
// Whose stream ends finds another instance, as this one accepts nobody any more.
process.once("SIGTERM", () => void Promise.all([app.close(), relay.close()]));
await app.listen(Number(process.env.PORT ?? 8030));
