import type { RedisOptions } from "../src/index.js";

/** The ways to a server at a port, each with that one alone. */
export const ways: Readonly<Record<string, (port: number) => RedisOptions>> = {
  server: (port) => ({ url: `redis://127.0.0.1:${port}` }),
  "server with TLS": (port) => ({ url: `rediss://127.0.0.1:${port}` }),
  cluster: (port) => ({ cluster: [{ host: "127.0.0.1", port }], prefix: "{ld}" }),
  sentinel: (port) => ({ sentinel: { name: "main", nodes: [{ host: "127.0.0.1", port }] } }),
};
