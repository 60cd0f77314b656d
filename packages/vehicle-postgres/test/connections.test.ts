import { getEventListeners, once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { openConnection, withConnection } from "../src/connection.js";
import { Gate } from "../src/gate.js";
import { createPostgresCatalogue, exportVehicles } from "../src/index.js";
import { openPool, type PoolSettings } from "../src/pool.js";
import { inTransaction } from "../src/transaction.js";
import { fakeDatabase } from "./fake-database.js";
import { type FakeAnswer, type FakePostgres, fakePostgres } from "./fake-postgres.js";
import { fleet } from "./fleet.js";

const patient = { timeout: 60_000 };
const rest = { opened: 1, open: 0, goodbyes: 1 };

describe("a connection for one task", () => {
  test("says goodbye after it, whatever comes of it", async () => {
    const server = await fakePostgres(() => [{ a: 1 }]);
    const { rows } = await withConnection(server.connection, 60_000, (client) => client.query("select"));
    expect(rows).toEqual([{ a: 1 }]);
    await expect.poll(() => ({ ...server.connections }), patient).toEqual(rest);
    const failing = withConnection(server.connection, 60_000, () => Promise.reject(new Error("no")));
    await expect(failing).rejects.toMatchObject({ code: "unavailable", message: "no" });
    await expect
      .poll(() => ({ ...server.connections }), patient)
      .toEqual({ opened: 2, open: 0, goodbyes: 2 });
  });

  test("leaves no timer behind that would keep the process", async () => {
    const server = await fakePostgres(() => [{ a: 1 }]);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    await withConnection(server.connection, 60_000, (client) => client.query("select"));
    expect(vi.getTimerCount()).toBe(0);
  });

  test("ends with it when it is lost, even where the task waits for something else", async () => {
    const server = await fakePostgres(() => []);
    const waiting = withConnection(server.connection, 60_000, () => {
      server.hangUp("terminating");
      return new Promise<never>(() => {});
    });
    await expect(waiting).rejects.toMatchObject({ code: "unavailable", message: "terminating" });
  });

  test("has ended when the task is through, whatever comes of it", async () => {
    const server = await fakePostgres(() => []);
    let ended = 0;
    for (const outcome of [Promise.resolve.bind(Promise), Promise.reject.bind(Promise)]) {
      const through = withConnection(server.connection, 60_000, (client) => {
        client.once("end", () => ended++);
        return outcome(new Error("no"));
      });
      await through.catch(() => {});
    }
    expect(ended).toBe(2);
  });

  test("is not left open where the server refuses it, and waits", async () => {
    const refusal = Buffer.from("E....SFATAL\0C28P01\0Mno\0\0");
    refusal.writeInt32BE(refusal.length - 1, 1);
    const left = new Gate();
    const server = createServer((socket) => {
      socket.on("error", () => {}).on("close", () => left.open());
      socket.once("data", () => socket.write(refusal));
    }).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const opening = openConnection({ host: "127.0.0.1", port, user: "u", database: "d" }, 60_000);
    await expect(opening).rejects.toMatchObject({ code: "28P01", message: "no" });
    await left.passed;
  });

  test("ends with what the server says of itself, where a statement of a transaction waits", async () => {
    const server = await fakePostgres((text) => (text === "waits" ? "silence" : []));
    const place = { schema: "cars", timeoutMs: 60_000 };
    const waiting = withConnection(server.connection, 60_000, (client) =>
      inTransaction(client, place, "read", () => client.query("waits")),
    );
    waiting.catch(() => {});
    await vi.waitFor(() => expect(server.asked.at(-1)?.text).toBe("waits"), patient);
    server.hangUp("terminating");
    await expect(waiting).rejects.toMatchObject({ code: "unavailable", message: "terminating" });
  });

  test("is left after a while where the server does not take leave", async () => {
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      socket.on("error", () => {});
      // Let in, and ready, whatever is said.
      socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]));
      socket.resume();
    }).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const connection = { host: "127.0.0.1", port, user: "u", database: "d" };
    expect(await withConnection(connection, 60_000, async () => "done")).toBe("done");
  });
});

/** A server that takes whatever comes and never says a word. */
async function silentServer() {
  const server = createServer((socket) => void socket.on("error", () => {}).resume());
  server.listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const connection = { host: "127.0.0.1", port, user: "u", database: "d" };
  return { server, connection };
}

describe("a connection that nobody wants any more", () => {
  test("is given up while it is made", async () => {
    const { server, connection } = await silentServer();
    for (const settle of ["open", "fail"] as const) {
      const givenUp = new Gate();
      server.once("connection", () => givenUp[settle](new Error("no")));
      await expect(openConnection(connection, 60_000, givenUp.passed)).rejects.toThrow(/terminated|ended/);
    }
  });

  test("is given up while a catalogue makes it that is closed", async () => {
    const { server, connection } = await silentServer();
    const catalogue = createPostgresCatalogue({ connection, timeoutMs: 600_000 });
    await once(server, "connection");
    await catalogue.close();
    expect(catalogue.health()).toMatchObject({ state: "closed", failures: 0 });
  });

  test("is not cut off once it is there: it says goodbye", async () => {
    const { server } = await fakeDatabase({ vehicles: fleet(1) });
    const catalogue = createPostgresCatalogue({ connection: server.connection });
    await catalogue.ready();
    await catalogue.close();
    await expect.poll(() => ({ ...server.connections }), patient).toEqual(rest);
  });

  test("is given back when an export is left or fails", async () => {
    const { server, state } = await fakeDatabase({ vehicles: fleet(3) });
    for await (const _ of exportVehicles(server.connection)) break;
    await expect.poll(() => ({ ...server.connections }), patient).toEqual(rest);
    state.migration = 0;
    await expect(exportVehicles(server.connection).next()).rejects.toMatchObject({
      code: "refused",
      message: "there is no catalogue in the schema vehicle_catalogue: run migrate() first",
    });
    await expect
      .poll(() => ({ ...server.connections }), patient)
      .toEqual({ opened: 2, open: 0, goodbyes: 2 });
  });
});

test("a connection that is lost is replaced at once by who follows, however rarely he asks", async () => {
  const { server } = await fakeDatabase({ vehicles: fleet(1) });
  const options = { pollMs: Number.POSITIVE_INFINITY, timeoutMs: 600_000 };
  const catalogue = createPostgresCatalogue({ connection: server.connection, ...options });
  onTestFinished(() => catalogue.close());
  await catalogue.ready();
  server.cut();
  await expect.poll(() => server.connections.opened, patient).toBe(2);
});

test("an export says why the server hung up while nobody read on", async () => {
  const { server } = await fakeDatabase({ vehicles: fleet(501) });
  const exported = exportVehicles(server.connection);
  await exported.next();
  server.hangUp("terminating connection due to administrator command");
  await vi.waitFor(() => expect(server.connections.open).toBe(0), patient);
  const reading = (async () => {
    for await (const _ of exported);
  })();
  await expect(reading).rejects.toMatchObject({
    code: "unavailable",
    message: "terminating connection due to administrator command",
  });
});

describe("connections that are shared", () => {
  const question = { text: "question $1", values: [1] };

  async function pooled(answer: (text: string) => FakeAnswer, settings: Partial<PoolSettings> = {}) {
    const lines: string[] = [];
    const note = (kind: string) => (line: string) => void lines.push(`${kind} ${line}`);
    const logger = { info: note("info"), warn: note("warn"), error: note("error") };
    const server: FakePostgres = await fakePostgres(answer);
    const pool = openPool(server.connection, { connections: 2, timeoutMs: 59_999.5, logger, ...settings });
    onTestFinished(() => pool.end().catch(() => {}));
    return { server, pool, lines };
  }

  test("put each question in a transaction of its own, over one of them where they come one by one", async () => {
    const { server, pool } = await pooled((text) => (text.startsWith("question") ? [{ a: "x" }] : []));
    for (let round = 0; round < 2; round++) expect(await pool.ask(question, undefined)).toEqual([{ a: "x" }]);
    const round = [
      {
        text: "begin read only; set local pg_trgm.word_similarity_threshold = 0.4; set local lock_timeout = 0; set local statement_timeout = 60000",
        values: [],
      },
      { text: "question $1", values: ["1"] },
      { text: "commit", values: [] },
    ];
    const asked = server.asked.map(({ text, values }) => ({ text: text.replace(/\s+/g, " "), values }));
    expect([asked, server.connections.opened]).toEqual([[...round, ...round], 1]);
    await pool.end();
    await expect.poll(() => server.connections.open, patient).toBe(0);
  });

  test("are no more than were asked for, and the others wait", async () => {
    const { server, pool } = await pooled(() => []);
    await Promise.all(Array.from({ length: 6 }, () => pool.ask(question, undefined)));
    const asked = server.asked.filter(({ text }) => text === question.text);
    expect([server.connections.opened, asked.length]).toEqual([2, 6]);
  });

  test("are not used again when a question has failed on them", async () => {
    let isBroken = true;
    const { server, pool } = await pooled((text) =>
      text.startsWith("question") && isBroken ? Object.assign(new Error("no"), { code: "42501" }) : [],
    );
    await expect(pool.ask(question, undefined)).rejects.toMatchObject({ code: "refused", message: "no" });
    isBroken = false;
    expect(await pool.ask(question, undefined)).toEqual([]);
    expect(server.connections.opened).toBe(2);
    await expect.poll(() => server.connections.open, patient).toBe(1);
  });

  test("may be lost while a question waits: that one fails, and the next has another", async () => {
    const { server, pool } = await pooled((text) => (text === "question 1" ? "silence" : []));
    const waiting = pool.ask({ text: "question 1", values: [] }, undefined);
    waiting.catch(() => {});
    await vi.waitFor(() => expect(server.asked).toHaveLength(2), patient);
    server.hangUp("terminating");
    await expect(waiting).rejects.toMatchObject({ code: "unavailable", message: "terminating" });
    expect(await pool.ask(question, undefined)).toEqual([]);
  });

  test("may be lost while they rest, which is told, and harms nobody", async () => {
    const { server, pool, lines } = await pooled(() => []);
    await pool.ask(question, undefined);
    server.hangUp("terminating");
    await vi.waitFor(
      () => expect(lines.slice(0, 1)).toEqual(["warn a connection was lost: terminating"]),
      patient,
    );
    expect(await pool.ask(question, undefined)).toEqual([]);
    expect(server.connections.opened).toBe(2);
  });

  test("leave nothing of a question behind: neither with who asks nor on the connection", async () => {
    const warnings: string[] = [];
    const note = ({ name }: Error): void => void warnings.push(name);
    process.on("warning", note);
    onTestFinished(() => void process.off("warning", note));
    const { server, pool } = await pooled(() => [], { connections: 1 });
    const asking = new AbortController();
    for (let round = 0; round < 12; round++) await pool.ask(question, asking.signal);
    await new Promise((resolve) => setImmediate(resolve));
    expect([getEventListeners(asking.signal, "abort"), warnings]).toEqual([[], []]);
    expect(server.connections.opened).toBe(1);
  });

  test("are given on by who does not wait any more, unused", async () => {
    let answer = (): void => {};
    const { server, pool } = await pooled(
      (text) => (text === "question 1" ? new Promise((resolve) => (answer = () => resolve([]))) : []),
      { connections: 1 },
    );
    const first = pool.ask({ text: "question 1", values: [] }, undefined);
    await vi.waitFor(() => expect(server.asked).toHaveLength(2), patient);
    const leaving = new AbortController();
    const second = pool.ask({ text: "question 2", values: [] }, leaving.signal);
    const third = pool.ask({ text: "question 3", values: [] }, undefined);
    leaving.abort(new Error("left"));
    await expect(second).rejects.toThrow("left");
    await expect(pool.ask(question, leaving.signal)).rejects.toThrow("left");
    answer();
    await Promise.all([first, third]);
    const questions = server.asked.filter(({ text }) => text.startsWith("question")).map(({ text }) => text);
    expect([questions, server.connections.opened]).toEqual([["question 1", "question 3"], 1]);
  });
});
