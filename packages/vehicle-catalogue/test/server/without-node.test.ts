import { createContext, runInContext } from "node:vm";
import zlib from "node:zlib";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { fullKey, openCatalogue, openRouter } from "./listening.js";

/** What a worker has: globals of the Web and nothing of Node. */
const webGlobals = {
  Blob,
  CompressionStream,
  Headers,
  Request,
  Response,
  TextDecoder,
  TextEncoder,
  URL,
  URLSearchParams,
  clearTimeout,
  crypto,
  queueMicrotask,
  setTimeout,
};

test("the server, bundled for browsers, answers in a world without Node as it does in Node", async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: `export { createVehicleRouter, catalogueFromVehicles, readCatalogueFile } from "./src/server/index.js";`,
      resolveDir: ".",
      loader: "ts",
    },
    bundle: true,
    write: false,
    platform: "browser",
    format: "iife",
    globalName: "server",
  });
  const world = createContext({ ...webGlobals });
  runInContext("globalThis.self = globalThis", world);
  runInContext(outputFiles[0]?.text ?? "", world);
  expect(runInContext("typeof process + typeof Buffer + typeof require", world)).toBe(
    "undefinedundefinedundefined",
  );
  const server: typeof import("../../src/server/index.js") = runInContext("server", world);

  const router = server.createVehicleRouter({
    catalogue: server.catalogueFromVehicles(openCatalogue().vehicles()),
    keys: [{ key: fullKey, groups: ["ReadVehicles", "ReadVehiclesFull"] }],
  });
  const node = openRouter();
  for (const target of [
    "/v2/vehicles",
    "/v2/vehicles?q=VW+ID3",
    "/v2/vehicle_brands",
    "/v2/vehicles?x=1",
    "/v2/openapi.json",
  ]) {
    for (const key of [fullKey, "stranger"]) {
      const request = (): Request =>
        new Request(`https://worker.example${target}`, { headers: { "API-Key": key } });
      const [there, here] = [await router.fetch(request()), await node.fetch(request())];
      expect([target, there.status, await there.text()]).toEqual([target, here.status, await here.text()]);
      expect(there.headers.get("etag")).toBe(here.headers.get("etag"));
    }
  }
  const headers = { "API-Key": fullKey, "Accept-Encoding": "br, gzip" };
  const packed = await router.fetch(new Request("https://worker.example/v2/vehicles", { headers }));
  expect(packed.headers.get("content-encoding")).toBe("gzip");
  const text = zlib.gunzipSync(await packed.arrayBuffer()).toString();
  expect(JSON.parse(text).meta).toEqual({ overall_count: 293 });
  await expect(server.readCatalogueFile("x.json")).rejects.toMatchObject({ code: "unsupported" });
});
