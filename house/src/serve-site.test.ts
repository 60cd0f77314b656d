import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import { type AddressInfo, createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
// The site is no package; what serves it is a script.
import { siteServer } from "../../docs/serve.mjs";

const above = mkdtempSync(join(tmpdir(), "site-"));
const folder = join(above, "dist");
let server: Server;
let port: number;

beforeAll(async () => {
  mkdirSync(join(folder, "guide"), { recursive: true });
  for (const name of ["index.html", "404.html", "guide/index.html", "guide/a b.html", "logo.svg", "x.bin"])
    writeFileSync(join(folder, name), name);
  writeFileSync(join(above, "beside.txt"), "beside");
  server = siteServer(folder);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(above, { recursive: true });
});

const found = [
  { path: "/", status: 200, type: "text/html; charset=utf-8", body: "index.html" },
  { path: "/?from=x", status: 200, type: "text/html; charset=utf-8", body: "index.html" },
  { path: "/guide/", status: 200, type: "text/html; charset=utf-8", body: "guide/index.html" },
  { path: "/guide/a%20b", status: 200, type: "text/html; charset=utf-8", body: "guide/a b.html" },
  { path: "/logo.svg", status: 200, type: "image/svg+xml", body: "logo.svg" },
  { path: "/x.bin", status: 200, type: "application/octet-stream", body: "x.bin" },
  { path: "/nothing", status: 404, type: "text/html; charset=utf-8", body: "404.html" },
  { path: "/%", status: 404, type: "text/html; charset=utf-8", body: "404.html" },
  { path: "/..%2fbeside.txt", status: 404, type: "text/html; charset=utf-8", body: "404.html" },
];
for (const { path, status, type, body } of found) {
  test(`${path} of the site is answered with ${body}`, async () => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    expect([response.status, response.headers.get("content-type"), await response.text()]).toEqual([
      status,
      type,
      body,
    ]);
  });
}

test("no path leads out of the site", async () => {
  const said = await new Promise<string>((resolve) => {
    const socket = createConnection(port, "127.0.0.1", () =>
      socket.end("GET /../beside.txt HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"),
    );
    let text = "";
    socket.setEncoding("utf8").on("data", (part: string) => (text += part));
    socket.on("end", () => resolve(text));
  });
  expect(said).toMatch(/^HTTP\/1\.1 404 /);
});
