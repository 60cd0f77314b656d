import http from "node:http";
import { gunzipSync } from "node:zlib";
import { expect, onTestFinished, test, vi } from "vitest";

/** The server as it is loaded where there are no built-in modules. */
async function withoutModules() {
  // What it has found out about its runtime is kept.
  vi.resetModules();
  const { readCatalogueFile } = await import("../../src/server/index.js");
  const listening = await import("./listening.js");
  const { getBuiltinModule } = process;
  Reflect.set(process, "getBuiltinModule", undefined);
  onTestFinished(() => {
    Reflect.set(process, "getBuiltinModule", getBuiltinModule);
    vi.resetModules();
  });
  return { readCatalogueFile, ...listening };
}

const targets = ["/v2/vehicles", "/v2/vehicle_brands", "/v2/vehicles?x=1", "/v2/openapi.json"];

test("where there are no built-in modules, documents are the bytes of their text however they are sent", async () => {
  const { ask, fullKey, listening, openRouter } = await withoutModules();
  // What is not kept may be sent as text.
  const router = openRouter({ cacheBytes: 0 });
  const server = await listening(http.createServer(router.node));
  onTestFinished(() => server.close());
  for (const url of targets) {
    const headers = new Headers({ "api-key": fullKey });
    const { status, body } = await router.respond({ method: "GET", url, headers });
    const text = new TextDecoder("utf-8", { fatal: true }).decode(body);
    expect([status, JSON.parse(text)]).toEqual([url.endsWith("x=1") ? 400 : 200, expect.any(Object)]);
    const fetched = await router.fetch(new Request(`https://worker.example${url}`, { headers }));
    expect([fetched.status, await fetched.text()]).toEqual([status, text]);
    const sent = await ask(server.origin, url);
    expect([sent.status, sent.text]).toEqual([status, text]);
  }
});

test("where there are no built-in modules, documents are compressed as the Web can", async () => {
  const { fullKey, openRouter } = await withoutModules();
  const answerTo = (headers: Record<string, string>) =>
    openRouter().respond({
      method: "GET",
      url: "/v2/vehicles",
      headers: new Headers({ "api-key": fullKey, ...headers }),
    });
  const plain = await answerTo({});
  const packed = await answerTo({ "accept-encoding": "br, gzip" });
  expect(packed.headers["Content-Encoding"]).toBe("gzip");
  expect(gunzipSync(packed.body).equals(plain.body)).toBe(true);
});

test("where there are no built-in modules, no file can be read", async () => {
  const { readCatalogueFile } = await withoutModules();
  await expect(readCatalogueFile("vehicles.json")).rejects.toMatchObject({
    code: "unsupported",
    message: "this runtime has no file system",
  });
});
