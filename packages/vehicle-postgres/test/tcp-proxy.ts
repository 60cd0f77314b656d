import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A way to a server that can be blocked. */
export interface TcpProxy {
  readonly host: string;
  readonly port: number;
  /** Cuts all connections and takes no more. */
  cut(): void;
  /** Takes connections and bytes, and passes nothing on: as a firewall does that forgot a connection. */
  stall(): void;
  /** Passes new connections on again; those that were stalled stay so. */
  restore(): void;
  /** How many bytes have come back from the server. */
  readonly received: number;
  close(): Promise<void>;
}

export async function tcpProxy(target: { readonly host: string; readonly port: number }): Promise<TcpProxy> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let mode: "pass" | "cut" | "stall" = "pass";
  let received = 0;
  const server = createServer((near) => {
    if (mode === "cut") {
      near.resetAndDestroy();
      return;
    }
    const far = connect(target);
    const pair = [near, far] as const;
    pairs.add(pair);
    const isStalled = (): boolean => near.isPaused();
    if (mode === "stall") near.pause();
    near.on("data", (bytes) => far.write(bytes));
    far.on("data", (bytes) => {
      received += bytes.length;
      if (!isStalled()) near.write(bytes);
    });
    for (const [one, other] of [pair, [far, near]] as const) {
      one.on("error", () => {});
      one.on("close", () => {
        other.destroy();
        pairs.delete(pair);
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const destroyAll = (): void => {
    for (const [near, far] of pairs) {
      near.resetAndDestroy();
      far.destroy();
    }
  };
  return {
    host: "127.0.0.1",
    port: typeof address === "object" && address !== null ? address.port : 0,
    cut() {
      mode = "cut";
      destroyAll();
    },
    stall() {
      mode = "stall";
      for (const [near] of pairs) near.pause();
    },
    restore() {
      mode = "pass";
    },
    get received() {
      return received;
    },
    async close() {
      destroyAll();
      server.close();
      await once(server, "close");
    },
  };
}
