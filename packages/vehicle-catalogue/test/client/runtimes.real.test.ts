import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import http from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fullKey, type Listening, listening, openCatalogue, openRouter } from "../server/listening.js";

/**
 * The runtimes beside Node and how to get each: from the environment, or from npm under a fixed version. Their packages
 * bring the program itself along, so nothing else is downloaded.
 */
const runtimes = {
  Node: [process.execPath],
  Bun: process.env.WYE_BUN ? [process.env.WYE_BUN] : ["npx", "--yes", "bun@1.4.5"],
  Deno: [...(process.env.WYE_DENO ? [process.env.WYE_DENO] : ["npx", "--yes", "deno@2.9.6"]), "run", "-A"],
};

/** What a program does with the built client; prints what it saw. */
const program = (client: string, origin: string, elsewhere: string): string => `
import { createVehicleClient } from ${JSON.stringify(client)};
const options = { baseUrl: ${JSON.stringify(origin)}, apiKey: ${JSON.stringify(fullKey)}, cache: true };
const client = createVehicleClient(options);
const codeOf = (call) => call.then(() => "none", (error) => [error.code, error.status, error.attempts]);
const ids = [];
for await (const vehicle of client.vehicles({ fields: { car: ["model"], motorbike: [] } })) ids.push(vehicle.id);
const page = await client.page({ size: 2 });
const again = await client.page({ size: 2 });
const { brands } = await client.brands();
const found = await client.search("VW ID3", { size: 1 });
const late = new AbortController();
const silent = createVehicleClient({ ...options, baseUrl: ${JSON.stringify(`${elsewhere}/silent`)}, retry: false });
setTimeout(() => late.abort("enough"), 50);
const aborted = await silent.page({ signal: late.signal }).catch((reason) => reason);
const broken = createVehicleClient({ ...options, baseUrl: ${JSON.stringify(`${elsewhere}/broken`)}, retry: { baseDelayMs: 1 } });
const moved = createVehicleClient({ ...options, baseUrl: ${JSON.stringify(`${elsewhere}/moved`)} });
const nobody = createVehicleClient({ ...options, baseUrl: "http://127.0.0.1:9", retry: { limit: 1, baseDelayMs: 1 } });
console.log(JSON.stringify({
  ids,
  first: page.vehicles[0],
  same: JSON.stringify(page) === JSON.stringify(again),
  brands: brands.length,
  found: found.vehicles[0].model,
  all: (await client.page({ filter: { id: ids }, size: 100, number: 3 })).vehicles.length,
  errors: [
    await codeOf(createVehicleClient({ ...options, apiKey: "stranger" }).page()),
    await codeOf(client.page({ size: 999 })),
    await codeOf(silent.page({ timeoutMs: 50 })),
    await codeOf(broken.page()),
    await codeOf(moved.page()),
    await codeOf(nobody.page()),
  ],
  aborted,
}));
`;

describe("the built client runs in", () => {
  const keys: unknown[] = [];
  let folder: string;
  let server: Listening;
  let elsewhere: Listening;
  let target: Listening;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "wye-runtimes-"));
    server = await listening(http.createServer(openRouter().node));
    target = await listening(
      http.createServer(({ headers }, response) => {
        keys.push(headers["api-key"]);
        response.end('{"data":[]}');
      }),
    );
    elsewhere = await listening(
      http.createServer(({ url }, response) => {
        if (url?.startsWith("/moved"))
          response.writeHead(301, { location: `${target.origin}/v2/vehicles` }).end();
        if (url?.startsWith("/broken")) {
          response.writeHead(200, { "content-length": 100 });
          response.write('{"data":[', () => response.destroy());
        }
      }),
    );
  });
  afterAll(async () => {
    await Promise.all([server, elsewhere, target].map((each) => each.close()));
    await rm(folder, { recursive: true });
  });

  for (const [name, [command, ...args]] of Object.entries(runtimes)) {
    test(name, async () => {
      const file = join(folder, `${name}.mjs`);
      const client = new URL("../../dist/client/index.js", import.meta.url).pathname;
      await writeFile(file, program(client, server.origin, elsewhere.origin));
      const { stdout } = await promisify(execFile)(command!, [...args, file], {
        cwd: folder,
        timeout: 100_000,
      });
      const vehicles = openCatalogue().vehicles();
      expect(JSON.parse(stdout)).toEqual({
        ids: vehicles.map(({ id }) => id),
        first: vehicles[0],
        same: true,
        brands: 38,
        found: "ID.3",
        all: 93,
        errors: [
          ["forbidden", 403, 1],
          ["bad_request", 400, 1],
          ["timeout", null, 1],
          ["invalid_response", 200, 4],
          ["redirected", 301, 1],
          ["network", null, 2],
        ],
        aborted: "enough",
      });
      expect(keys).toEqual([]);
    });
  }
});
