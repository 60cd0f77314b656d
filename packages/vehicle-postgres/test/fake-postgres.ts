import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import type { PostgresConnection } from "../src/index.js";

type Row = Readonly<Record<string, unknown>>;

/** What a statement is answered with: rows, an error, or nothing at all; now or later. */
export type FakeAnswer = readonly Row[] | Error | "silence" | Promise<readonly Row[]>;

/** A server that speaks just enough of the protocol for `pg`, and answers what a test says. */
export interface FakePostgres {
  readonly connection: PostgresConnection;
  /** The statements so far, of all connections, with their values. */
  readonly asked: readonly { readonly text: string; readonly values: readonly (string | null)[] }[];
  /** How many connections there have been, how many there are, and how many have said goodbye. */
  readonly connections: { readonly opened: number; readonly open: number; readonly goodbyes: number };
  /** Tells everyone who listens. */
  notify(channel: string): void;
  /** Ends all connections, and says why. */
  hangUp(reason: string): void;
  /** Cuts all connections. */
  cut(): void;
}

export async function fakePostgres(
  answer: (text: string, values: readonly (string | null)[]) => FakeAnswer,
): Promise<FakePostgres> {
  const asked: { text: string; values: readonly (string | null)[] }[] = [];
  const sockets = new Set<Socket>();
  const connections = { opened: 0, open: 0, goodbyes: 0 };
  const ask = (text: string, values: readonly (string | null)[]): FakeAnswer => {
    asked.push({ text, values });
    return answer(text, values);
  };
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    connections.opened++;
    connections.open++;
    socket.on("error", () => {});
    socket.on("close", () => {
      sockets.delete(socket);
      connections.open--;
    });
    serve(socket, ask, () => connections.goodbyes++);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const cut = (): void => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  onTestFinished(async () => {
    cut();
    server.close();
    await once(server, "close");
  });
  return {
    connection: {
      host: "127.0.0.1",
      port: typeof address === "object" && address !== null ? address.port : 0,
      user: "fake",
      database: "fake",
      password: "fake",
    },
    asked,
    connections,
    notify(channel) {
      const body = Buffer.concat([int32(1), text(channel), text("")]);
      for (const socket of sockets) socket.write(message("A", body));
    },
    hangUp(reason) {
      for (const socket of sockets) socket.end(failed("57P01", reason));
    },
    cut,
  };
}

/** Reads messages from a socket, the first of which has no letter. */
function serve(
  socket: Socket,
  ask: (text: string, values: readonly (string | null)[]) => FakeAnswer,
  leave: () => void,
): void {
  let buffer = Buffer.alloc(0);
  let isStarted = false;
  let statement = "";
  let values: (string | null)[] = [];
  let hasFailed = false;
  let late: Promise<void> | undefined;
  const answerWith = (found: FakeAnswer, isLast: boolean): void => {
    if (found === "silence") return;
    if (found instanceof Promise) {
      late = found.then((rows) => answerWith(rows, isLast));
      return;
    }
    if (found instanceof Error) {
      hasFailed = !isLast;
      socket.write(failed("code" in found ? String(found.code) : "XX000", found.message));
    } else {
      socket.write(Buffer.concat([describeRows(found), ...found.map(dataRow), complete(found.length)]));
    }
    if (isLast) socket.write(ready);
  };
  const handle: Readonly<Record<string, (body: Buffer) => void>> = {
    Q: (body) => answerWith(ask(body.toString("utf8", 0, body.length - 1), []), true),
    P: (body) => {
      statement = body.toString("utf8", body.indexOf(0) + 1).split("\0")[0] ?? "";
    },
    B: (body) => {
      values = readValues(body);
    },
    E: () => answerWith(ask(statement, values), false),
    S: () => {
      hasFailed = false;
      if (late === undefined) socket.write(ready);
      else
        late.then(
          () => void socket.write(ready),
          () => {},
        );
      late = undefined;
    },
    X: () => {
      leave();
      socket.end();
    },
  };
  socket.on("data", (bytes) => {
    buffer = Buffer.concat([buffer, bytes]);
    for (;;) {
      const from = isStarted ? 1 : 0;
      if (buffer.length < from + 4) return;
      const end = from + buffer.readInt32BE(from);
      if (buffer.length < end) return;
      const letter = buffer.toString("latin1", 0, 1);
      const body = buffer.subarray(from + 4, end);
      buffer = buffer.subarray(end);
      if (!isStarted) {
        isStarted = true;
        socket.write(Buffer.concat([message("R", int32(0)), ready]));
      } else if (!hasFailed || letter === "S") {
        handle[letter]?.(body);
      }
    }
  });
}

/** The values of a Bind message: two names, formats, then each with its length. */
function readValues(body: Buffer): (string | null)[] {
  let at = body.indexOf(0) + 1;
  at = body.indexOf(0, at) + 1;
  at += 2 + 2 * body.readInt16BE(at);
  const count = body.readInt16BE(at);
  at += 2;
  return Array.from({ length: count }, () => {
    const length = body.readInt32BE(at);
    at += 4;
    if (length < 0) return null;
    at += length;
    return body.toString("utf8", at - length, at);
  });
}

const zero = Buffer.from([0]);
const ready = message("Z", Buffer.from("I"));

function message(letter: string, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(letter), int32(body.length + 4), body]);
}

function failed(code: string, reason: string): Buffer {
  return message("E", Buffer.concat([text("SERROR"), text(`C${code}`), text(`M${reason}`), zero]));
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}

function text(value: string): Buffer {
  return Buffer.concat([Buffer.from(value), zero]);
}

/** The numbers that PostgreSQL has for types, by what JavaScript makes of them. */
function typeOf(value: unknown): number {
  if (typeof value === "object") return 3802;
  return typeof value === "boolean" ? 16 : typeof value === "number" ? 23 : 25;
}

function describeRows([row = {}]: readonly Row[]): Buffer {
  const columns = Object.entries(row).map(([name, value]) =>
    Buffer.concat([text(name), int32(0), int16(0), int32(typeOf(value)), int16(-1), int32(-1), int16(0)]),
  );
  return message("T", Buffer.concat([int16(columns.length), ...columns]));
}

function dataRow(row: Row): Buffer {
  const fields = Object.values(row).map((value) => {
    if (value === null || value === undefined) return int32(-1);
    const shown = typeof value === "object" ? JSON.stringify(value) : value === true ? "t" : `${value}`;
    const bytes = Buffer.from(shown);
    return Buffer.concat([int32(bytes.length), bytes]);
  });
  return message("D", Buffer.concat([int16(fields.length), ...fields]));
}

function complete(count: number): Buffer {
  return message("C", text(`SELECT ${count}`));
}
