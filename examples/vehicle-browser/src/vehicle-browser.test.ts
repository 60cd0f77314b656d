import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { catalogueFromOpenEvData } from "@wye/vehicle-catalogue/server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pageKey } from "./page-key.js";
import { createVehicleBrowser } from "./vehicle-browser.js";

const data: unknown = JSON.parse(readFileSync(new URL("../data/ev-data.json", import.meta.url), "utf8"));
const publicFolder = mkdtempSync(join(tmpdir(), "vehicle-browser-"));
let server: Server;
let origin: string;

beforeAll(async () => {
  for (const name of ["index.html", "page.js", "style.css", "icon.svg"])
    writeFileSync(join(publicFolder, name), name);
  const browse = createVehicleBrowser({
    catalogue: catalogueFromOpenEvData(data),
    publicFolder,
    prefix: "/cars",
  });
  server = createServer((request, response) =>
    browse(request, response, () => response.writeHead(404).end("none")),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(publicFolder, { recursive: true });
});

const rows = [
  { path: "/cars/", status: 200, type: "text/html; charset=utf-8", body: "index.html" },
  { path: "/cars/?x=1", status: 200, type: "text/html; charset=utf-8", body: "index.html" },
  { path: "/cars/page.js", status: 200, type: "text/javascript; charset=utf-8", body: "page.js" },
  { path: "/cars/style.css", status: 200, type: "text/css; charset=utf-8", body: "style.css" },
  { path: "/cars/icon.svg", status: 200, type: "image/svg+xml", body: "icon.svg" },
  { path: "/cars/other", status: 404, type: null, body: "none" },
  { path: "/page.js", status: 404, type: null, body: "none" },
];
for (const { path, status, type, body } of rows) {
  test(`${path} is ${status}`, async () => {
    const response = await fetch(origin + path);
    expect([response.status, response.headers.get("content-type"), await response.text()]).toEqual([
      status,
      type,
      body,
    ]);
  });
}

test("the API stands beside the page, and takes the key of the page", async () => {
  const response = await fetch(`${origin}/cars/v2/vehicles?q=VW+ID3`, { headers: { "API-Key": pageKey } });
  const { data: found } = (await response.json()) as {
    data: { attributes: { model: string; dc_charging_curve: unknown[] } }[];
  };
  expect(found[0]?.attributes.model).toBe("ID.3");
  expect(found[0]?.attributes.dc_charging_curve.length).toBeGreaterThan(2);
  expect((await fetch(`${origin}/cars/v2/vehicles`)).status).toBe(403);
});

test("pages are only read", async () => {
  expect((await fetch(`${origin}/cars/`, { method: "POST" })).status).toBe(405);
  const head = await fetch(`${origin}/cars/`, { method: "HEAD" });
  expect([head.status, await head.text(), head.headers.get("content-length")]).toEqual([200, "", "10"]);
});
