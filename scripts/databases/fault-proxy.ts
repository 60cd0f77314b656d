import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

/** How bytes pass: as they come, not at all although everything looks open, or late. */
export type Passage = "open" | "silent" | "late";

/** Stands between a client and a server and does to their connections what networks do. */
export interface FaultProxy {
  readonly port: number;
  passage: Passage;
  /** How late bytes are. */
  lateMs: number;
  /** Cuts every connection at once, also in the middle of what it was carrying. */
  cut(): void;
  /** Cuts every connection after so many more bytes of a client. */
  cutAfter(bytes: number): void;
  /** How often that has happened. */
  readonly cuts: number;
  /** Leaves the connections that there are open and carries nothing on them any more; new ones are as usual. */
  forget(): void;
  /** The port to which new connections lead. */
  target: number;
  /** Whether new connections are taken. */
  accepting: boolean;
  close(): Promise<void>;
}

/** Starts it on loopback. */
export async function startFaultProxy(target: number): Promise<FaultProxy> {
  const sockets = new Set<Socket>();
  let allowance = Number.POSITIVE_INFINITY;
  let cuts = 0;
  let forgotten = new WeakSet<Socket>();
  const cut = () => {
    allowance = Number.POSITIVE_INFINITY;
    for (const socket of sockets) socket.destroy();
  };

  function pass(from: Socket, to: Socket, counts: boolean): void {
    // Bytes may be late, but never overtake each other.
    let last: Promise<unknown> = Promise.resolve();
    from.on("data", (chunk: Buffer) => {
      if (proxy.passage === "silent" || forgotten.has(from)) return;
      const whole = !counts || chunk.length <= allowance;
      const part = whole ? chunk : chunk.subarray(0, allowance);
      if (counts) allowance -= part.length;
      const late = proxy.passage === "late";
      last = last.then(() => (late ? pause(proxy.lateMs) : undefined)).then(() => to.write(part));
      if (!whole) {
        cuts++;
        void last.then(cut);
      }
    });
    from.on("close", () => to.destroy());
    from.on("error", () => {});
  }

  const server = createServer((client) => {
    if (!proxy.accepting) {
      client.destroy();
      return;
    }
    const upstream = connect(proxy.target, "127.0.0.1");
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("close", () => sockets.delete(socket));
    }
    pass(client, upstream, true);
    pass(upstream, client, false);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no port");
  const proxy: FaultProxy = {
    port: address.port,
    passage: "open",
    lateMs: 30,
    target,
    accepting: true,
    cut,
    forget() {
      forgotten = new WeakSet(sockets);
    },
    cutAfter(bytes) {
      allowance = bytes;
    },
    get cuts() {
      return cuts;
    },
    async close() {
      cut();
      server.close();
      await once(server, "close");
    },
  };
  return proxy;
}
