import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { flag, keys, startRelay } from "./start-relay.js";

/** Larger than a connection takes at once, together. */
const size = 900_000;
const count = 12;

const pathFor = (key: string) =>
  `/sdk/evalx/${keys.envId}/contexts/${Buffer.from(JSON.stringify({ kind: "user", key })).toString("base64url")}`;

test("a body that waits for its reader is not written over by those of others", async () => {
  const variations = ["a".repeat(size), "b".repeat(size)];
  const f = flag("f", 1, { variations, targets: [{ variation: 1, values: ["b"] }] });
  const relay = await startRelay({ data: { [keys.sdkKey]: { flags: { f } } } });
  const { hostname, port } = new URL(relay.url);
  const slow = connect(Number(port), hostname);
  onTestFinished(() => void slow.destroy());
  slow.pause();
  const head = `GET ${pathFor("a")} HTTP/1.1\r\nHost: relay\r\n`;
  slow.write(`${`${head}\r\n`.repeat(count - 1)}${head}Connection: close\r\n\r\n`);
  for (let i = 0; i < count; i++) {
    const { body } = await relay.fetch("GET", pathFor("b"));
    expect([body.includes("aa"), body.includes(variations[1] ?? "")]).toEqual([false, true]);
  }
  const chunks: Buffer[] = [];
  for await (const chunk of slow) chunks.push(chunk);
  const received = Buffer.concat(chunks).toString("latin1");
  expect([received.split(variations[0] ?? "").length - 1, received.includes("bb")]).toEqual([count, false]);
});
