import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { vi } from "vitest";
import { freePort } from "../../../scripts/databases/free-port.js";
import type { PostgresConnection } from "../src/index.js";

type Row = Readonly<Record<string, unknown>>;

/** A PostgreSQL server of the suite's own, on loopback, that can be killed and started again. */
export interface PostgresServer {
  readonly connection: PostgresConnection & { readonly host: string; readonly port: number };
  /** The file with the certificate of the authority that vouches for the server, for connections to `localhost`. */
  readonly authority: string;
  /** Runs SQL as the owner. */
  sql(text: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** Ends it without a goodbye: what was not committed is lost. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Whether it may only be read from the next start on. */
  setStandby(isStandby: boolean): void;
  /** Ends it and deletes its data. */
  remove(): Promise<void>;
}

const password = "first password";

/** Makes a cluster with the user and database `postgres`, whose password is asked for, and starts it. */
export async function startPostgres(): Promise<PostgresServer> {
  const cluster = await makeCluster();
  const passwordFile = join(cluster.folder, "password");
  writeFileSync(passwordFile, password);
  belongToServer(passwordFile);
  const initdb = ["-U", "postgres", "-A", "scram-sha-256", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"];
  run("initdb", ["-D", cluster.data, ...initdb, `--pwfile=${passwordFile}`]);
  makeCertificate(cluster.data, makeAuthority(cluster.folder));
  // Not with the command, which would have the last word.
  appendFileSync(join(cluster.data, "postgresql.conf"), "ssl = on\n");
  return serve(cluster);
}

/** Starts a standby that a server sends what it writes; `select pg_promote()` has it take over. */
export async function startStandby({ connection }: PostgresServer): Promise<PostgresServer> {
  const cluster = await makeCluster();
  const { host, port, user } = connection;
  const from = ["-h", host, "-p", String(port), "-U", String(user)];
  run("pg_basebackup", ["-D", cluster.data, "-R", "--checkpoint=fast", "--no-sync", ...from]);
  makeAuthority(cluster.folder);
  return serve(cluster);
}

/** Where a server keeps what it has, and listens. */
interface Cluster {
  readonly folder: string;
  readonly data: string;
  readonly port: number;
}

async function makeCluster(): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), "wye-postgres-"));
  belongToServer(folder);
  return { folder, data: join(folder, "data"), port: await freePort() };
}

function belongToServer(path: string): void {
  const user = serverUser();
  if (user !== undefined) chownSync(path, user.uid, user.gid);
}

function run(program: string, options: readonly string[]): void {
  const env = { ...process.env, PGPASSWORD: password };
  execFileSync(join(programFolder(), program), options, { ...serverUser(), env, stdio: "ignore" });
}

async function serve({ folder, data, port }: Cluster): Promise<PostgresServer> {
  const connection = { host: "127.0.0.1", port, user: "postgres", database: "postgres", password };
  let running: ChildProcess | undefined;

  const sql: PostgresServer["sql"] = async (text, values = []) => {
    const client = new pg.Client(connection);
    client.on("error", () => {});
    await client.connect();
    try {
      return (await client.query<Row>(text, [...values])).rows;
    } finally {
      await client.end();
    }
  };
  const kill = async (): Promise<void> => {
    if (running === undefined) return;
    const gone = once(running, "exit");
    running.kill("SIGQUIT");
    await gone;
    running = undefined;
  };
  const start = async (): Promise<void> => {
    const settings = ["fsync=off", "listen_addresses=127.0.0.1", `port=${port}`, "max_connections=50"];
    const options = settings.flatMap((setting) => ["-c", setting]);
    running = spawn(join(programFolder(), "postgres"), ["-D", data, "-k", folder, ...options], {
      ...serverUser(),
      stdio: "ignore",
    });
    await vi.waitFor(() => sql("select 1"), { timeout: 60_000, interval: 50 });
  };
  await start();
  const setStandby = (isStandby: boolean): void => {
    const signal = join(data, "standby.signal");
    if (isStandby) writeFileSync(signal, "");
    else rmSync(signal);
  };
  const remove = async (): Promise<void> => {
    await kill();
    rmSync(folder, { recursive: true, force: true });
  };
  const authority = join(folder, "authority.crt");
  return { connection, authority, sql, kill, start, setStandby, remove };
}

/** An authority that nobody knows: the file with its certificate. Its key lies beside it. */
export function makeAuthority(folder: string): string {
  const certificate = join(folder, "authority.crt");
  openssl("/CN=authority", keyOf(certificate), certificate);
  return certificate;
}

/** A certificate for `localhost` where the server looks for one. */
function makeCertificate(data: string, authority: string): void {
  const [key, certificate] = [join(data, "server.key"), join(data, "server.crt")];
  const vouched = ["-addext", "subjectAltName=DNS:localhost", "-CA", authority, "-CAkey", keyOf(authority)];
  openssl("/CN=localhost", key, certificate, ...vouched);
  const { uid, gid } = statSync(data);
  chmodSync(key, 0o600);
  for (const file of [key, certificate]) chownSync(file, uid, gid);
}

function keyOf(certificate: string): string {
  return certificate.replace(/crt$/, "key");
}

/** OpenSSL comes with PostgreSQL. */
function openssl(subject: string, key: string, certificate: string, ...others: readonly string[]): void {
  const request = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", subject];
  execFileSync("openssl", [...request, "-keyout", key, "-out", certificate, ...others], { stdio: "ignore" });
}

/** The server does not run for root; Debian's package brings a user for it. */
export function serverUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (option: string): number =>
    Number(execFileSync("id", [option, "postgres"], { encoding: "utf8" }));
  return { uid: idOf("-u"), gid: idOf("-g") };
}

/** Where Debian puts the programs of the newest version; `WYE_POSTGRES_BIN` says otherwise. */
function programFolder(): string {
  const { WYE_POSTGRES_BIN } = process.env;
  if (WYE_POSTGRES_BIN !== undefined) return WYE_POSTGRES_BIN;
  const base = "/usr/lib/postgresql";
  const versions = existsSync(base) ? readdirSync(base).sort((a, b) => Number(b) - Number(a)) : [];
  const [newest] = versions;
  if (newest === undefined) throw new Error("PostgreSQL is not there: install it, or set WYE_POSTGRES_BIN");
  return join(base, newest, "bin");
}
