import { spawn } from "node:child_process";
import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { vi } from "vitest";
import { freePort } from "../../../scripts/databases/free-port.js";
import { type PostgresServer, serverUser } from "./postgres-server.js";
import type { TransactionPooler } from "./transaction-pooler.js";

/** PgBouncer in front of a server, which gives each transaction (or statement) the session that has been free for longest. */
export async function pgBouncer(
  { connection }: Pick<PostgresServer, "connection">,
  sessions: number,
  mode: "transaction" | "statement" = "transaction",
): Promise<TransactionPooler> {
  const owner = serverUser();
  const folder = mkdtempSync(join(tmpdir(), "wye-pgbouncer-"));
  const [settings, users] = [join(folder, "pgbouncer.ini"), join(folder, "users")];
  const port = await freePort();
  writeFileSync(users, `"${connection.user}" "${connection.password}"\n`);
  writeFileSync(settings, settingsOf({ ...connection, listenOn: port, users, sessions, mode }));
  if (owner !== undefined)
    for (const path of [folder, settings, users]) chownSync(path, owner.uid, owner.gid);
  const running = spawn(process.env.WYE_PGBOUNCER ?? "pgbouncer", [settings], { ...owner, stdio: "ignore" });
  const gone = new Promise<void>((resolve) => {
    running.on("exit", () => resolve());
    running.on("error", () => resolve());
  });
  const pooled = { ...connection, port };
  await vi.waitFor(() => ask(pooled), { timeout: 60_000, interval: 50 });
  return {
    connection: pooled,
    async close() {
      // At once, whoever is connected.
      running.kill("SIGQUIT");
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Settings {
  readonly host: string;
  readonly port: number;
  readonly listenOn: number;
  readonly users: string;
  readonly sessions: number;
  readonly mode: string;
}

function settingsOf({ host, port, listenOn, users, sessions, mode }: Settings): string {
  return `[databases]
* = host=${host} port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenOn}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = ${mode}
default_pool_size = ${sessions}
server_round_robin = 1
server_login_retry = 1
`;
}

async function ask(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(connection);
  client.on("error", () => {});
  await client.connect();
  await client.query("select 1").finally(() => client.end());
}
