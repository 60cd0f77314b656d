import { readdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { examples } from "./examples.js";
import { createPipelineEditor } from "./pipeline-editor.js";

const data = new URL("../data/", import.meta.url);
let server: Server;
let origin: string;

beforeAll(async () => {
  const publicFolder = fileURLToPath(new URL("../dist/public", import.meta.url));
  const edit = createPipelineEditor({ publicFolder, prefix: "/here" });
  server = createServer((request, response) =>
    edit(request, response, () => response.writeHead(404).end("none")),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test("the list names every pipeline that comes with the page, once", () => {
  const files = readdirSync(data).filter((name) => name.endsWith(".yaml"));
  expect(examples.map(({ file }) => file).sort()).toEqual(files.sort());
  expect(new Set(examples.map(({ label }) => label)).size).toBe(examples.length);
});

for (const path of ["/", "/page.js", "/check-worker.js", "/style.css", "/icon.svg"]) {
  test(`the page has ${path}`, async () => {
    const response = await fetch(`${origin}/here${path}`);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-security-policy")).toContain(
      "default-src 'none'; script-src 'self'; style-src 'self'",
    );
    expect((await response.text()).length).toBeGreaterThan(100);
    expect((await fetch(origin + path)).status).toBe(404);
  });
}

for (const { file } of examples) {
  test(`${file} is served as it is`, async () => {
    const response = await fetch(`${origin}/here/data/${file}`);
    expect(await response.text()).toBe(readFileSync(new URL(file, data), "utf8"));
  });
}

test("the licence and the origin of the examples are served with them", async () => {
  for (const name of ["ATTRIBUTION.md", "LICENSE-Apache-2.0.txt"]) {
    expect((await fetch(`${origin}/here/data/${name}`)).status).toBe(200);
  }
});
