import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { exportVehicles, importVehicles, migrate } from "../src/index.js";
import { fakeDatabase } from "./fake-database.js";
import { fleet } from "./fleet.js";
import { collect } from "./real-database.js";

/** What servers and poolers say, and whether it may pass by itself. */
const complaints: readonly (readonly [sqlState: string, message: string, code: "unavailable" | "refused"])[] =
  [
    ["57P03", "the database system is starting up", "unavailable"],
    ["57P01", "terminating connection due to administrator command", "unavailable"],
    ["53300", "too many connections", "unavailable"],
    ["40001", "could not serialize access", "unavailable"],
    ["25006", "cannot execute UPDATE in a read-only transaction", "unavailable"],
    ["25P03", "terminating connection due to idle-in-transaction timeout", "unavailable"],
    ["58030", "could not read block", "unavailable"],
    ["08P01", "server conn crashed?", "unavailable"],
    ["08P01", 'database "nope" does not exist', "refused"],
    ["08P01", "no such user: somebody", "refused"],
    ["08P01", "SASL authentication failed", "refused"],
    ["08P01", "transaction blocks not allowed in statement pooling mode", "refused"],
    ["08P01", "pgbouncer cannot connect to server", "unavailable"],
    ["42501", "permission denied for table vehicles", "refused"],
    ["3D000", 'database "nope" does not exist', "refused"],
  ];

test.each(complaints)("%s, %s: %s", async (code, message, expected) => {
  const { server } = await fakeDatabase({ override: () => Object.assign(new Error(message), { code }) });
  await expect(migrate(server.connection)).rejects.toMatchObject({ code: expected });
});

test("a connection that is reset is unavailable, whoever uses it", async () => {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.resetAndDestroy());
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const connection = { host: "127.0.0.1", port: (server.address() as AddressInfo).port, user: "u" };
  const calls = [
    () => migrate(connection),
    () => importVehicles(connection, fleet(1)),
    () => collect(exportVehicles(connection)),
  ];
  for (const call of calls) await expect(call()).rejects.toMatchObject({ code: "unavailable" });
});
