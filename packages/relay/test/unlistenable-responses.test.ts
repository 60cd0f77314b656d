import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { keys, startRelay } from "./start-relay.js";

const context = Buffer.from('{"kind":"user","key":"u"}').toString("base64url");
const json = { authorization: keys.sdkKey, "content-type": "application/json" };

test.each([
  ["events", "/bulk", { method: "POST", headers: json, body: '[{"kind":"custom","key":"k"}]' }],
  ["a diagnostic event", "/diagnostic", { method: "POST", headers: json, body: "{}" }],
  ["flags", "/sdk/flags", { headers: json }],
  ["an evaluation", `/sdk/evalx/${keys.envId}/contexts/${context}`, {}],
])(
  "%s, to a response that throws when it is listened to, end no process, and keep no relay from closing",
  async (_, path, init) => {
    const { relay } = await startRelay();
    const unhandled: unknown[] = [];
    const note = (error: unknown) => unhandled.push(error);
    process.on("unhandledRejection", note);
    const server = createServer((req, res: ServerResponse) => {
      const { end } = res;
      // Sent later, as by what keeps a session first: it is waited for.
      res.end = (...args: unknown[]) => {
        setImmediate(() => Reflect.apply(end, res, args));
        return res;
      };
      res.once = () => {
        throw new Error("not here");
      };
      relay.handler(req, res);
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    onTestFinished(() => {
      process.off("unhandledRejection", note);
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    await fetch(`http://127.0.0.1:${port}${path}`, init).catch(() => {});
    const began = performance.now();
    await relay.close({ within: "30s" });
    await new Promise(setImmediate);
    expect(unhandled).toEqual([]);
    expect(performance.now() - began).toBeLessThan(20_000);
  },
);
