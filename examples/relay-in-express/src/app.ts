import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Relay } from "@wye/relay";
import express from "express";

/** A server that can be started and stopped. */
export interface App {
  listen(port: number): Promise<string>;
  close(): Promise<unknown>;
}

/** An Express application with the relay before its body parsers: what is not the relay's goes on. */
export async function createApp(relay: Relay): Promise<App> {
  const app = express();
  app.use(relay.handler);
  app.use(express.json());
  app.get("/hello", (_, res) => void res.send("hello"));

  const server = createServer(app);
  return {
    async listen(port: number): Promise<string> {
      await new Promise<void>((resolve) => server.listen(port, resolve));
      return `http://localhost:${(server.address() as AddressInfo).port}`;
    },
    close() {
      const closed = new Promise((resolve) => server.close(resolve));
      // Those on which nothing was ever asked.
      setTimeout(() => server.closeAllConnections(), 5000).unref();
      return closed;
    },
  };
}
