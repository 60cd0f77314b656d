import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { complaintsAbout } from "../../../scripts/databases/complaints-about.js";
import { freePort } from "../../../scripts/databases/free-port.js";
import { type RedisOptions, redisStore } from "../src/index.js";
import { connectTo } from "./fixtures.js";
import { type RedisServer, startRedis } from "./redis-server.js";

const servers: RedisServer[] = [];
const ports = { plain: 0, guarded: 0, tls: 0, node: 0, replica: 0, full: 0 };
const folder = mkdtempSync(join(tmpdir(), "wye-tls-"));

beforeAll(async () => {
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  const request = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=db -addext subjectAltName=DNS:db";
  execFileSync("openssl", [...request.split(" "), "-keyout", key, "-out", certificate], { stdio: "ignore" });
  ports.tls = await freePort();
  const files = [`tls-cert-file ${certificate}`, `tls-key-file ${key}`, `tls-ca-cert-file ${certificate}`];
  for (const [name, lines] of Object.entries({
    plain: [],
    guarded: ["requirepass secret", "user relay on >secret ~other:* +@all"],
    node: ["cluster-enabled yes"],
    full: [],
    ignored: [`tls-port ${ports.tls}`, ...files, "tls-auth-clients no"],
  })) {
    const server = await startRedis(lines);
    servers.push(server);
    if (name in ports) Object.assign(ports, { [name]: server.port });
  }
  const replica = await startRedis([`replicaof 127.0.0.1 ${ports.plain}`]);
  servers.push(replica);
  ports.replica = replica.port;
  const direct = await connectTo(ports.plain);
  await direct.set("taken:features", "of somebody else");
  direct.destroy();
  const full = await connectTo(ports.full);
  await full.sendCommand(["CONFIG", "SET", "maxmemory", "1"]);
  full.destroy();
});
afterAll(async () => {
  for (const server of servers) await server.stop();
  rmSync(folder, { recursive: true });
});

interface WrongSetting {
  readonly name: string;
  readonly at: keyof typeof ports;
  readonly scheme?: string;
  readonly database?: string;
  readonly options?: RedisOptions;
  /** The reason and the remedy, where each begins. */
  readonly says: RegExp;
}

const settings: readonly WrongSetting[] = [
  { name: "no password", at: "guarded", says: /NOAUTH .*\(Redis asks for a password: give / },
  {
    name: "a wrong password",
    at: "guarded",
    options: { password: "hunter2" },
    says: /WRONGPASS .*\(check username and password/,
  },
  {
    name: "a user without rights",
    at: "guarded",
    options: { username: "relay", password: "secret" },
    says: /NOPERM .*\(the user of Redis needs the rights that stand in the README/,
  },
  {
    name: "a database that is not there",
    at: "plain",
    database: "/99",
    says: /DB index is out of range.* \(the URL names a database that this Redis does not have\)/,
  },
  {
    name: "TLS to a Redis without",
    at: "plain",
    scheme: "rediss",
    options: { connectTimeout: "2s" },
    says: /\(Redis has ended the connection, .*redis: or rediss:\)|\(Redis does not speak TLS there/,
  },
  {
    name: "no TLS to a Redis that asks for it",
    at: "tls",
    says: /\((what answers there is no Redis without TLS|Redis has ended the connection)/,
  },
  {
    name: "a certificate that nobody here trusts",
    at: "tls",
    scheme: "rediss",
    says: /self-signed certificate \(nobody here trusts who has signed the certificate: give theirs, as in tls: \{ ca/,
  },
  {
    name: "a certificate for another host",
    at: "tls",
    scheme: "rediss",
    options: { tls: { rejectUnauthorized: true, ca: "" } },
    says: /does not match certificate's altnames.* \(the certificate is for another host/,
  },
  {
    name: "a node of a cluster",
    at: "node",
    says: /\(some slots of the cluster have no node|\(this is a node of a cluster/,
  },
  {
    name: "a cluster that is none",
    at: "plain",
    options: { cluster: [], prefix: "{ld}" },
    says: /\(this is not a cluster: give a URL/,
  },
  { name: "a replica", at: "replica", says: /READONLY .*\(this is a replica/ },
  { name: "a Redis that is full", at: "full", says: /OOM .*\(Redis is out of memory/ },
];

test.each(settings)(
  "of $name the log of a relay tells the server, the reason and the remedy",
  async (setting) => {
    const { at, scheme = "redis", database = "", options, says } = setting;
    const port = ports[at];
    const url = `${scheme}://127.0.0.1:${port}${database}`;
    const { cluster, tls, ...rest } = options ?? {};
    const server = cluster === undefined ? { url } : { cluster: [{ host: "127.0.0.1", port }] };
    const name = cluster === undefined ? url : `redis-cluster://127.0.0.1:${port}`;
    const trusted =
      tls === undefined ? {} : { tls: { ca: execFileSync("cat", [join(folder, "certificate.pem")]) } };
    const { told, stop } = complaintsAbout(
      redisStore({ connectTimeout: "5m", prefix: "ld", ...server, ...rest, ...trusted }),
    );
    onTestFinished(stop);
    const prefix = `[test] data store: redis at ${name}, prefix "${rest.prefix ?? "ld"}": `;
    await expect
      .poll(() => told, { timeout: 250_000 })
      .toSatisfy((lines: string[]) => lines.some((line) => line.startsWith(prefix) && says.test(line)));
    expect(told.join()).not.toContain("hunter2");
  },
);

test("what stands in the place of flags is given up for them, and gives way", async () => {
  const url = `redis://127.0.0.1:${ports.plain}`;
  const { told, stop } = complaintsAbout(redisStore({ url, prefix: "taken" }));
  onTestFinished(stop);
  const direct = await connectTo(ports.plain);
  onTestFinished(() => direct.destroy());
  await expect.poll(() => direct.type("taken:features"), { timeout: 250_000 }).toBe("hash");
  expect(told.filter((line) => line.includes("failed"))).toEqual([]);
});
