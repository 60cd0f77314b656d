import { expect, test } from "vitest";
import { attachWorker } from "../../../test/attach-worker.js";
import type { FromWorker } from "./messages.js";
import { SharedCredentials } from "./shared-credentials.js";

const serving: FromWorker = { type: "serving", port: 8030 };
const [old, young] = [
  { cert: "old", key: "old" },
  { cert: "young", key: "young" },
];

test("a worker has what was last read, and is told what comes later while it serves", () => {
  const credentials = new SharedCredentials({ certificate: old, authorities: ["ca"] });
  const [early, between, late] = [
    attachWorker(credentials),
    attachWorker(credentials),
    attachWorker(credentials),
  ];
  early.say({ type: "identify" });
  early.say(serving);
  between.say({ type: "identify" });
  credentials.renew(young);
  // What comes before it listens would be lost.
  expect(between.told).toHaveLength(1);
  between.say({ type: "heard" });
  expect(between.told).toHaveLength(1);
  between.say(serving);
  late.say({ type: "identify" });
  late.say(serving);
  const first = { type: "credentials", credentials: { certificate: old, authorities: ["ca"] } };
  expect(early.told).toEqual([first, { type: "certificate", certificate: young }]);
  expect(between.told).toEqual(early.told);
  expect(late.told).toEqual([
    { type: "credentials", credentials: { certificate: young, authorities: ["ca"] } },
  ]);
});

test("one that has ended is told nothing, and one without TLS has nothing to be told", () => {
  const credentials = new SharedCredentials({ certificate: undefined, authorities: [] });
  const worker = attachWorker(credentials);
  worker.say({ type: "identify" });
  worker.say(serving);
  worker.detach();
  credentials.renew(young);
  expect([worker.told.length, worker.takers.size]).toEqual([1, 0]);
});
