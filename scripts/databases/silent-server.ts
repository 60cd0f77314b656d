import { once } from "node:events";
import { createServer, type Socket } from "node:net";

/** A server that takes every connection and never says a word. */
export interface SilentServer {
  readonly port: number;
  close(): Promise<void>;
}

/** Starts it on loopback. */
export async function startSilentServer(): Promise<SilentServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).resume();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no port");
  return {
    port: address.port,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
