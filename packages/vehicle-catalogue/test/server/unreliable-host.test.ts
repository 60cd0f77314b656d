import http from "node:http";
import net from "node:net";
import { describe, expect, test } from "vitest";
import {
  answerMalformedRequest,
  type Catalogue,
  catalogueFromVehicles,
  type VehicleRouterOptions,
} from "../../src/server/index.js";
import { catalogueTestVehicles } from "../../src/testing/index.js";
import { ask, fullKey, listening, openRouter } from "./listening.js";

const memory = catalogueFromVehicles(catalogueTestVehicles());
const page = "/v2/vehicles";

/** A catalogue as a program without types may write it. */
function rubbish(snapshot: unknown): Catalogue {
  return { snapshot: () => snapshot } as Catalogue;
}

function boom(): never {
  throw new Error("boom");
}

/** Snapshots like the one in memory, but for one member. */
const present = (change: object): object => ({ ...memory.snapshot(), ...change });

const faults: readonly { name: string; options: Partial<VehicleRouterOptions>; status: number }[] = [
  ...["a\nb", "a\r\nX: y", "", "ü", "a b", '"', "x".repeat(65), 7, null, undefined, {}].map((version) => ({
    name: `the version ${JSON.stringify(version)}`,
    options: { catalogue: rubbish(present({ version })) },
    status: 500,
  })),
  ...[undefined, null, 3, "snapshot", {}, []].map((snapshot) => ({
    name: `the snapshot ${JSON.stringify(snapshot)}`,
    options: { catalogue: rubbish(snapshot) },
    status: 500,
  })),
  ...[undefined, null, {}, { vehicles: [{}], overallCount: 1 }, { vehicles: [null], overallCount: 1 }].map(
    (selection) => ({
      name: `the selection ${JSON.stringify(selection)}`,
      options: { catalogue: rubbish(present({ find: () => selection })) },
      status: 500,
    }),
  ),
  ...[undefined, null, Number.NaN, -1, 1.5, Number.POSITIVE_INFINITY, "2", 2 ** 53].map((overallCount) => ({
    name: `${typeof overallCount} ${overallCount} vehicles in all`,
    options: {
      catalogue: rubbish(
        present({ find: () => ({ vehicles: memory.vehicles().slice(0, 2), overallCount }) }),
      ),
    },
    status: 500,
  })),
  { name: "a snapshot that throws", options: { catalogue: { snapshot: boom } }, status: 500 },
  {
    name: "a snapshot that rejects with nothing",
    options: { catalogue: { snapshot: () => Promise.reject(undefined) } },
    status: 500,
  },
  { name: "keys that throw", options: { keys: boom }, status: 500 },
  ...[null, undefined].map((grant) => ({
    name: `keys that give ${grant}`,
    options: { keys: (() => grant) as never },
    status: 403,
  })),
  { name: "keys that give null later", options: { keys: (async () => null) as never }, status: 403 },
  ...[false, 0, "ReadVehicles", {}, { groups: null }, { groups: "ReadVehicles" }, { groups: {} }].map(
    (grant) => ({
      name: `keys that give ${JSON.stringify(grant)}`,
      options: { keys: (() => grant) as never },
      status: 500,
    }),
  ),
  { name: "a rate limit that throws", options: { rateLimit: { take: boom } }, status: 500 },
  {
    name: "a rate limit that rejects",
    options: { rateLimit: { take: () => Promise.reject("no") } },
    status: 500,
  },
  ...[Number.NaN, undefined, null, "soon", {}, -1].map((waitMs) => ({
    name: `a rate limit that gives ${String(waitMs)}`,
    options: { rateLimit: { take: () => waitMs as never } },
    status: waitMs === -1 ? 200 : 500,
  })),
  {
    name: "a rate limit that gives Infinity",
    options: { rateLimit: { take: () => Number.POSITIVE_INFINITY } },
    status: 429,
  },
  {
    name: "a digest that throws",
    options: { platform: { digest: boom, codings: [], compress: boom } },
    status: 500,
  },
];

describe("what a host's functions may do", () => {
  for (const { name, options, status } of faults) {
    test(`${name} is answered with ${status}, and the next request as if nothing had happened`, async () => {
      const lines: string[] = [];
      const log = (line: string): void => void lines.push(line);
      const logger = { info: log, warn: log, error: log };
      const keys = [{ key: fullKey, groups: ["ReadVehicles" as const] }];
      const routers = {
        "/faulty": openRouter({ catalogue: memory, keys, logger, prefix: "/faulty", ...options }),
        "/sound": openRouter({ catalogue: memory, keys, prefix: "/sound" }),
      };
      const server = await listening(
        http.createServer((request, response) => {
          routers["/faulty"].node(request, response, () => routers["/sound"].node(request, response));
        }),
      );
      try {
        const { status: found, json, headers } = await ask(server.origin, `/faulty${page}`);
        expect(found).toBe(status);
        expect(json.errors?.length).toBe(status >= 400 ? 1 : undefined);
        expect(headers["retry-after"] ?? "1").toMatch(/^[0-9]+$/);
        expect(lines).toHaveLength(status === 500 ? 1 : 0);
        expect((await ask(server.origin, `/sound${page}`)).status).toBe(200);
      } finally {
        await server.close();
      }
    });
  }

  const loggers = [
    { name: "throws", error: boom },
    { name: "rejects", error: async () => boom() },
    { name: "is missing", error: undefined },
  ];
  for (const { name, error } of loggers) {
    test(`a logger whose function ${name} changes no answer`, async () => {
      const logger = { info: error, warn: error, error } as never;
      const router = openRouter({ logger, catalogue: { snapshot: () => Promise.reject(new Error("away")) } });
      const server = await listening(http.createServer(router.node));
      expect((await ask(server.origin, page)).status).toBe(500);
      await server.close();
    });
  }

  test("a response that cannot be written is closed, and logged", async () => {
    const lines: string[] = [];
    const log = (line: string): void => void lines.push(line);
    const router = openRouter({ logger: { info: log, warn: log, error: log }, keys: async () => undefined });
    const server = await listening(
      http.createServer((request, response) => {
        response.writeHead = boom;
        router.node(request, response);
      }),
    );
    await expect(ask(server.origin, page)).rejects.toThrow("socket hang up");
    expect(lines).toEqual([expect.stringMatching(/GET \/v2\/vehicles.*could not be sent: .*boom/s)]);
    await server.close();
  });
});

describe("answerMalformedRequest", () => {
  test("writes nothing into a response that is under way, begun or not", async () => {
    for (const begun of [true, false]) {
      let finish = (): void => {};
      const bare = http.createServer((_request, response) => {
        if (begun) response.writeHead(200, { "Content-Length": "10" }).write("01234");
        finish = () => void (begun ? response.end("56789") : response.end("late"));
      });
      let told = (): void => {};
      const malformed = new Promise<void>((resolve) => {
        told = resolve;
      });
      bare.on("clientError", (error, socket) => {
        answerMalformedRequest(error, socket);
        told();
      });
      const server = await listening(bare);
      const text = await new Promise<string>((resolve, reject) => {
        const chunks: Buffer[] = [];
        const socket = net.connect(server.port, "127.0.0.1", () => {
          socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
        });
        const break_ = (): void => void socket.write("\u0000 nonsense\r\n\r\n");
        bare.once("request", () => setImmediate(break_));
        malformed.then(() => finish(), reject);
        socket.on("data", (chunk) => chunks.push(chunk));
        socket.on("error", reject);
        socket.on("close", () => resolve(Buffer.concat(chunks).toString()));
      });
      expect(text).not.toContain("400");
      await server.close();
    }
  });
});
