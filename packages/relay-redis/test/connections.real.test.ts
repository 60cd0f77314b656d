import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FlagStore, messageOf } from "@wye/relay";
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "../../../scripts/databases/free-port.js";
import { type RedisOptions, redisStore } from "../src/index.js";
import { connectTo, contextOf, flag, never, newPrefix, until } from "./fixtures.js";
import { type RedisServer, startRedis } from "./redis-server.js";

async function start(lines: readonly string[] = []): Promise<RedisServer> {
  const server = await startRedis(lines);
  onTestFinished(() => server.stop());
  return server;
}

function open(options: RedisOptions): FlagStore {
  const store = redisStore({ prefix: newPrefix(), ...options })(contextOf("test"));
  onTestFinished(() => store.close());
  return store;
}

/** Writes and reads, or tells why not. */
async function outcome(store: FlagStore): Promise<string> {
  try {
    await store.replace([flag("a", 1)], never);
    return (await store.read(never))?.[0]?.version === 1 ? "works" : "lost";
  } catch (error) {
    return messageOf(error);
  }
}

/** The rights that the README says are enough. */
const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const rights = /`~PREFIX:\* (-@all [^`]+)`/.exec(readme)?.[1] ?? "none";

test("a password, a user with few rights, and either of them in the URL", async () => {
  const server = await start([
    "requirepass secret",
    `user relay on >p%40ss ~test-* ${rights}`,
    `user numbered on >p%40ss ~test-* ${rights} +select`,
  ]);
  const at = `127.0.0.1:${server.port}`;
  expect(await outcome(open({ url: `redis://${at}`, password: "secret" }))).toBe("works");
  expect(await outcome(open({ url: `redis://:secret@${at}/3` }))).toBe("works");
  expect(await outcome(open({ url: `redis://${at}`, username: "relay", password: "p%40ss" }))).toBe("works");
  expect(await outcome(open({ url: `redis://relay:p%2540ss@${at}` }))).toBe("works");
  const shown = open({ url: `redis://relay:p%2540ss@${at}` }).about?.dbServer;
  expect(shown).toBe(`redis://relay:xxxxx@${at}`);
  expect(await outcome(open({ url: `redis://relay:p%2540ss@${at}/1` }))).toMatch(/NOPERM.*'select'/);
  expect(await outcome(open({ url: `redis://numbered:p%2540ss@${at}/1` }))).toBe("works");
  const foreign = open({ url: `redis://${at}`, username: "relay", password: "p%40ss", prefix: "elsewhere" });
  expect(await outcome(foreign)).toMatch(/NOPERM/);
});

test("a password that changes is asked for at each connection", async () => {
  const server = await start(["user relay on >first ~* +@all"]);
  const admin = await connectTo(server.port);
  onTestFinished(() => admin.destroy());
  let password = "first";
  const store = open({
    url: `redis://127.0.0.1:${server.port}`,
    credentials: async () => ({ username: "relay", password }),
  });
  expect(await outcome(store)).toBe("works");
  await admin.sendCommand(["ACL", "SETUSER", "relay", "resetpass", ">second"]);
  password = "second";
  await admin.sendCommand(["CLIENT", "KILL", "USER", "relay"]);
  await until(
    () => outcome(store),
    (one) => one === "works",
  );
  expect(await outcome(store)).toBe("works");
});

test("TLS with a certificate of one's own; without trust there is no connection", async () => {
  const folder = mkdtempSync(join(tmpdir(), "wye-tls-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  execFileSync(
    "openssl",
    `req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout ${key} -out ${certificate}`.split(
      " ",
    ),
    { stdio: "ignore" },
  );
  const port = await freePort();
  await start([
    `tls-port ${port}`,
    `tls-cert-file ${certificate}`,
    `tls-key-file ${key}`,
    `tls-ca-cert-file ${certificate}`,
    "tls-auth-clients no",
  ]);
  const ca = readFileSync(certificate, "utf8");
  expect(await outcome(open({ url: `rediss://localhost:${port}`, tls: { ca } }))).toBe("works");
  const told: string[] = [];
  const logger = { debug() {}, info() {}, error() {}, warn: (message: string) => void told.push(message) };
  const distrustful = redisStore({ url: `rediss://localhost:${port}`, prefix: newPrefix() })({
    ...contextOf("test"),
    logger,
  });
  onTestFinished(() => distrustful.close());
  const reading = distrustful.read(never).catch(() => {});
  await until(
    async () => told,
    (messages) => messages.length > 0,
  );
  expect(told).toEqual([
    `Redis at rediss://localhost:${port}: self-signed certificate (nobody here trusts who has signed the certificate: give theirs, as in tls: { ca: readFileSync(file) }, or name a file with them in NODE_EXTRA_CA_CERTS)`,
  ]);
  await distrustful.close();
  await reading;
});
