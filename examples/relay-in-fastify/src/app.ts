import { createServer } from "node:http";
import type { Relay } from "@wye/relay";
import fastify from "fastify";

/** A server that can be started and stopped. */
export interface App {
  listen(port: number): Promise<string>;
  close(): Promise<unknown>;
}

/** A Fastify application behind the relay: `serverFactory` gives every request to the relay first. */
export async function createApp(relay: Relay): Promise<App> {
  const app = fastify({
    serverFactory: (handler) => createServer((req, res) => relay.handler(req, res, () => handler(req, res))),
  });
  app.get("/hello", async () => "hello");
  return {
    listen: (port: number): Promise<string> => app.listen({ port, host: "localhost" }),
    close() {
      // Those on which nothing was ever asked.
      setTimeout(() => app.server.closeAllConnections(), 5000).unref();
      return app.close();
    },
  };
}
