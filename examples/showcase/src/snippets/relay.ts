import { createServer } from "node:http";
import { createRelay } from "@wye/relay";

const relay = createRelay({ environments: { production: { sdkKey: "your SDK key" } } });
createServer(relay.handler).listen(8030);
