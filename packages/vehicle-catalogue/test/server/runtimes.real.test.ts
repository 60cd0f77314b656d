import { execFile } from "node:child_process";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fullKey } from "./listening.js";

/** The runtimes beside Node, from the environment or from npm under a fixed version. */
const runtimes = {
  Node: [process.execPath],
  Bun: process.env.WYE_BUN ? [process.env.WYE_BUN] : ["npx", "--yes", "bun@1.4.5"],
  Deno: [...(process.env.WYE_DENO ? [process.env.WYE_DENO] : ["npx", "--yes", "deno@2.9.6"]), "run", "-A"],
};

const root = fileURLToPath(new URL("../../", import.meta.url));
const data = join(root, "testdata", "ev-data.json");

/** Serves with what the runtime has for it, asks over the network, and prints what came. */
const program = `
import { createVehicleRouter, readCatalogueFile } from "@wye/vehicle-catalogue/server";
const catalogue = await readCatalogueFile(${JSON.stringify(data)});
const groups = ["ReadVehicles", "ReadVehiclesFull"];
const router = createVehicleRouter({ catalogue, keys: [{ key: ${JSON.stringify(fullKey)}, groups }] });
let origin, stop;
if (globalThis.Bun) {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: router.fetch });
  origin = "http://127.0.0.1:" + server.port;
  stop = () => server.stop(true);
} else if (globalThis.Deno) {
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, router.fetch);
  origin = "http://127.0.0.1:" + server.addr.port;
  stop = () => server.shutdown();
} else {
  const { createServer } = await import("node:http");
  const server = createServer(router.node);
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = "http://127.0.0.1:" + server.address().port;
  stop = () => { server.closeAllConnections(); server.close(); };
}
const answers = [];
const ask = async (path, headers = {}, method = "GET") => {
  const response = await fetch(origin + path, { method, headers: { "API-Key": ${JSON.stringify(fullKey)}, "Accept-Encoding": "gzip", ...headers } });
  const text = await response.text();
  answers.push([path, response.status, response.headers.get("content-type"), response.headers.get("etag"), text.length]);
  return response;
};
const page = await ask("/v2/vehicles");
await ask("/v2/vehicles", { "If-None-Match": page.headers.get("etag") });
await ask("/v2/vehicles", {}, "HEAD");
await ask("/v2/vehicles?q=VW+ID3&page[size]=2");
await ask("/v2/vehicle_brands");
await ask("/v2/vehicles?page[size]=0");
await ask("/v2/vehicles", { "API-Key": "stranger" });
await ask("/v2/vehicles", {}, "DELETE");
await ask("/nowhere");
await stop();
console.log(JSON.stringify(answers));
`;

describe("the built server runs in", () => {
  let folder: string;
  const seen = new Map<string, unknown>();
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "vehicle-server-"));
    await writeFile(join(folder, "package.json"), "{}");
    // As npm would lay it out, without the workspace around it.
    const packages = join(folder, "node_modules");
    for (const part of ["dist", "package.json"]) {
      await cp(join(root, part), join(packages, "@wye/vehicle-catalogue", part), { recursive: true });
    }
    const { resolve } = createRequire(join(root, "package.json"));
    const serializer = dirname(resolve("json-api-serializer/package.json"));
    await cp(serializer, join(packages, "json-api-serializer"), { recursive: true });
    const polyfill = dirname(
      createRequire(join(serializer, "package.json")).resolve("setimmediate/package.json"),
    );
    await cp(polyfill, join(packages, "setimmediate"), { recursive: true });
    await writeFile(join(folder, "program.mjs"), program);
  });

  afterAll(() => rm(folder, { recursive: true }));

  for (const [name, [command = "", ...args]] of Object.entries(runtimes)) {
    test(`${name}, and answers as in the others`, async () => {
      const { stdout } = await promisify(execFile)(command, [...args, "program.mjs"], { cwd: folder });
      const answers: unknown[][] = JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
      expect(answers.map(([, status]) => status)).toEqual([200, 304, 200, 200, 200, 400, 403, 405, 404]);
      seen.set(name, answers);
      expect(answers).toEqual(seen.get("Node"));
    });
  }
});
