import { AsyncLocalStorage } from "node:async_hooks";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { keys, startRelay } from "./start-relay.js";

const context = '{"kind":"user","key":"u"}';
const encoded = Buffer.from(context).toString("base64url");
const server = { authorization: keys.sdkKey };
const json = { ...server, "content-type": "application/json" };
const events = '[{"kind":"custom"}]';

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
}

const requests: Record<string, Asked> = {
  "flags of a page": { method: "GET", path: `/sdk/evalx/${keys.envId}/contexts/${encoded}` },
  "flags of a context in the body": {
    method: "REPORT",
    path: "/sdk/evalx/context",
    headers: json,
    body: context,
  },
  "no flags, for lack of a key": { method: "GET", path: `/sdk/evalx/${keys.envId}/contexts/e30` },
  "flags that are polled": { method: "GET", path: "/sdk/flags", headers: server },
  "posted events": { method: "POST", path: "/bulk", headers: json, body: events },
  "packed events": {
    method: "POST",
    path: "/bulk",
    headers: { ...json, "content-encoding": "gzip" },
    body: gzipSync(events),
  },
  goals: { method: "GET", path: `/sdk/goals/${keys.envId}` },
  "goals of an address of its own": { method: "GET", path: `/sdk/goals/${keys.envId}?x=1` },
};

describe("what a host remembers of a request is what it finds when the answer is through", () => {
  for (const [name, { method, path, ...options }] of Object.entries(requests)) {
    test(name, async () => {
      const remembered = new AsyncLocalStorage<string>();
      const found: string[] = [];
      const relay = await startRelay({
        mount: ({ handler }) => {
          const waiting: (() => void)[] = [];
          let asked = 0;
          return (req, res) => {
            const own = String(asked++);
            for (const event of ["finish", "close"] as const)
              res.on(event, () => found.push(`${event} of ${own} in ${remembered.getStore()}`));
            waiting.push(() => remembered.run(own, () => handler(req, res)));
            // All of them in one turn.
            if (waiting.length === 10) for (const go of waiting) go();
          };
        },
      });
      const answers = Array.from({ length: 10 }, () => relay.fetch(method, path, options));
      const statuses = new Set((await Promise.all(answers)).map(({ status }) => status));
      expect(statuses.size).toBe(1);
      while (found.length < 20) await new Promise(setImmediate);
      const own = (n: number) => [`close of ${n} in ${n}`, `finish of ${n} in ${n}`];
      expect(found.toSorted()).toEqual(
        Array.from({ length: 10 }, (_, n) => own(n))
          .flat()
          .toSorted(),
      );
    });
  }
});
