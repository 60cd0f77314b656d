import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { createServer } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { type RedisOptions, redisStore } from "../src/index.js";
import { contextOf, described, flag, never } from "./fixtures.js";
import { server, startForEach } from "./stand-in-of-the-test.js";

startForEach();

const testdata = new URL("../../relay/testdata/", import.meta.url);
const certificate = readFileSync(new URL("upstream-certificate.pem", testdata), "utf8");
const key = readFileSync(new URL("upstream-key.pem", testdata), "utf8");

/** Speaks TLS in front of the stand-in, which then names the one in front as the leader. */
async function startFront(): Promise<number> {
  const sockets = new Set<Socket>();
  const front = createServer({ cert: certificate, key }, (client) => {
    const inner = connect(server.port, "127.0.0.1");
    for (const socket of [client, inner]) {
      sockets.add(socket);
      socket.on("error", () => {});
    }
    client.pipe(inner).pipe(client);
  });
  front.listen(0, "127.0.0.1");
  await once(front, "listening");
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    front.close();
    await once(front, "close");
  });
  const address = front.address();
  if (typeof address !== "object" || address === null) throw new Error("no port");
  server.leader = address.port;
  return address.port;
}

const trusted = { ca: certificate };
const nodes = (port: number) => [{ host: "127.0.0.1", port }];

const ways: Readonly<Record<string, (port: number) => RedisOptions>> = {
  "a URL that says so": (port) => ({ url: `rediss://127.0.0.1:${port}`, tls: trusted }),
  "a URL that does not, with settings for it": (port) => ({
    url: `redis://127.0.0.1:${port}`,
    tls: trusted,
  }),
  "a cluster": (port) => ({ cluster: nodes(port), tls: trusted }),
  sentinels: (port) => ({ sentinel: { name: "main", nodes: nodes(port) }, tls: trusted }),
};

test.each(Object.entries(ways))("%s: what is sent is encrypted", async (_, optionsAt) => {
  const store = redisStore({ prefix: "{ld}", ...optionsAt(await startFront()) })(contextOf("test"));
  onTestFinished(() => store.close());
  await store.replace([flag("a", 1)], never);
  expect(described(await store.read(never))).toEqual(described([flag("a", 1)]));
  expect([...server.keys.keys()]).toEqual(["{ld}:features", "{ld}:$inited"]);
});

test.each<[string, (port: number) => RedisOptions]>([
  ["a URL", (port) => ({ url: `rediss://127.0.0.1:${port}` })],
  ["settings without an authority", (port) => ({ url: `redis://127.0.0.1:${port}`, tls: {} })],
  ["a cluster", (port) => ({ cluster: nodes(port), tls: {} })],
  ["sentinels", (port) => ({ sentinel: { name: "main", nodes: nodes(port) }, tls: {} })],
])("%s: nothing is sent to whom nobody trusts", async (_, optionsAt) => {
  const store = redisStore({ prefix: "{ld}", ...optionsAt(await startFront()) })(contextOf("test"));
  onTestFinished(() => store.close());
  await expect(store.read(never)).rejects.toThrow(
    /self-signed certificate \(nobody here trusts who has signed the certificate: give theirs, /,
  );
  expect(server.commands).toEqual([]);
});
