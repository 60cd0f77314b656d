import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serveFiles } from "./files.js";

const folder = mkdtempSync(join(tmpdir(), "page-parts-"));
const home = `<link href="icon.svg"><script src="page.js"></script><a href="data/one.yaml">one</a><img src="none.svg">`;
let server: Server;
let origin: string;

beforeAll(async () => {
  mkdirSync(join(folder, "data"));
  for (const name of ["index.html", "page.js", "icon.svg", "other.bin", "data/one.yaml"])
    writeFileSync(join(folder, name), name);
  writeFileSync(join(folder, "home.html"), home);
  writeFileSync(join(folder, "page.js.br"), brotliCompressSync("page.js"));
  const serve = serveFiles(folder, "/here");
  server = createServer((request, response) =>
    serve(request, response, () => response.writeHead(404).end("none")),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

const found = [
  { path: "/here/", type: "text/html; charset=utf-8", body: "index.html" },
  { path: "/here/?x=1", type: "text/html; charset=utf-8", body: "index.html" },
  { path: "/here/page.js", type: "text/javascript; charset=utf-8", body: "page.js" },
  { path: "/here/icon.svg", type: "image/svg+xml", body: "icon.svg" },
  { path: "/here/other.bin", type: "application/octet-stream", body: "other.bin" },
  { path: "/here/data/one.yaml", type: "text/plain; charset=utf-8", body: "data/one.yaml" },
];
for (const { path, type, body } of found) {
  test(`${path} is served, and may use nothing from elsewhere`, async () => {
    const response = await fetch(origin + path);
    const { status, headers } = response;
    expect([status, headers.get("content-type"), await response.text()]).toEqual([200, type, body]);
    expect(headers.get("content-security-policy")).toContain(
      "default-src 'none'; script-src 'self'; style-src 'self'",
    );
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });
}

for (const path of [
  "/",
  "/here",
  "/page.js",
  "/here/none.js",
  "/here/data",
  "/here/data/../page.js/",
  "/HERE/",
]) {
  test(`${path} goes to the next handler`, async () => {
    expect(await (await fetch(origin + path)).text()).toBe("none");
  });
}

test("files are only read", async () => {
  const post = await fetch(`${origin}/here/`, { method: "POST", body: "x" });
  expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  const head = await fetch(`${origin}/here/`, { method: "HEAD" });
  expect([head.status, await head.text(), head.headers.get("content-length")]).toEqual([200, "", "10"]);
});

test("what the build has packed is sent packed to those who can read it, and to nobody else", async () => {
  const get = (coding: string) => fetch(`${origin}/here/page.js`, { headers: { "accept-encoding": coding } });
  const packed = await get("gzip, br;q=0.9");
  expect([packed.headers.get("content-encoding"), await packed.text()]).toEqual(["br", "page.js"]);
  const plain = await get("gzip");
  expect([plain.headers.get("content-encoding"), await plain.text()]).toEqual([null, "page.js"]);
  for (const { headers } of [packed, plain]) expect(headers.get("vary")).toBe("Accept-Encoding");
  expect((await fetch(`${origin}/here/page.js.br`)).status).toBe(404);
});

test("what a browser has already is not sent again, until it is another", async () => {
  const first = await fetch(`${origin}/here/icon.svg`);
  const tag = first.headers.get("etag") ?? "";
  const get = (etag: string) => fetch(`${origin}/here/icon.svg`, { headers: { "if-none-match": etag } });
  const again = await get(tag);
  expect([again.status, again.headers.get("etag"), await again.text()]).toEqual([304, tag, ""]);
  expect((await get('W/"other"')).status).toBe(200);
});

test("a page names the versions of what it loads: these are kept for good, and others asked for again", async () => {
  const html = await (await fetch(`${origin}/here/home.html`)).text();
  const version = /icon\.svg\?v=([\w-]+)/.exec(html)?.[1] ?? "";
  expect(html.replaceAll(/\?v=[\w-]+/g, "?v=")).toBe(
    home.replace("icon.svg", "icon.svg?v=").replace("page.js", "page.js?v="),
  );
  const keep = async (query: string) =>
    (await fetch(`${origin}/here/icon.svg${query}`)).headers.get("cache-control");
  expect(await keep(`?v=${version}`)).toBe("public, max-age=31536000, immutable");
  for (const query of ["", "?v=", `?v=${version}x`, "?v=undefined"])
    expect(await keep(query)).toBe("no-cache");
});
