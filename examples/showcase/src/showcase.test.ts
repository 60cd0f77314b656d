import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { type AddressInfo, createConnection } from "node:net";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createLegs } from "./create-legs.js";
import type { Leg } from "./leg.js";
import { createShowcase } from "./showcase.js";

const example: Leg = {
  id: "relay",
  title: "Relay <&> more",
  summary: "For tests.",
  packages: ["@wye/example"],
  install: "@wye/example",
  figure: { text: "A < B.", date: "1 May 2026", bench: "example" },
  links: [{ label: "Look", path: "/relay/look" }],
  handler: (request, response, next) => (request.url === "/relay/look" ? response.end("mounted") : next()),
};
const publicFolder = fileURLToPath(new URL("../dist/public", import.meta.url));
const server = createShowcase({ legs: [example], publicFolder });
let origin: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

describe("the showcase", () => {
  const found = [
    { path: "/", type: "text/html; charset=utf-8", has: "Relay &lt;&amp;> more" },
    { path: "/", type: "text/html; charset=utf-8", has: "A &lt; B. <small>Measured on 1 May 2026 by" },
    { path: "/?from=somewhere", type: "text/html; charset=utf-8", has: "npm install @wye/example" },
    { path: "/", type: "text/html; charset=utf-8", has: "createServer(relay.handler).listen(8030);" },
    { path: "/banner.css", type: "text/css; charset=utf-8", has: ".banner" },
    { path: "/page.js", type: "text/javascript; charset=utf-8", has: "/health" },
    { path: "/style.css", type: "text/css; charset=utf-8", has: "light-dark" },
    { path: "/icon.svg", type: "image/svg+xml", has: "<svg" },
  ];
  for (const { path, type, has } of found) {
    test(`serves ${path}`, async () => {
      const response = await fetch(origin + path);
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe(type);
      expect(response.headers.get("content-security-policy")).toContain(
        "default-src 'none'; script-src 'self'",
      );
      expect(await response.text()).toContain(has);
    });
  }

  for (const path of ["/missing", "//", "/..%2fpackage.json", "/404", "/relay/elsewhere", "/pipelines/"]) {
    test(`says that ${path} is not there`, async () => {
      const response = await fetch(origin + path);
      expect(response.status).toBe(404);
      expect(await response.text()).toContain("Nothing here");
    });
  }

  test("reaches no file outside the page, whatever the path says", async () => {
    expect(await rawStatusLine("/../../package.json")).toContain(" 404 ");
    expect(await rawStatusLine("/page.js/../../main.js")).toContain(" 404 ");
  });

  test("answers HEAD with the headers of GET and no body", async () => {
    const [head, get] = await Promise.all([fetch(`${origin}/`, { method: "HEAD" }), fetch(`${origin}/`)]);
    expect(head.headers.get("content-length")).toBe(String((await get.arrayBuffer()).byteLength));
    expect(await head.text()).toBe("");
  });

  test("refuses other methods and names the allowed ones", async () => {
    const response = await fetch(`${origin}/`, { method: "POST", body: "x" });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("GET, HEAD");
  });

  test("tells its health and its legs", async () => {
    const health = await (await fetch(`${origin}/health`)).json();
    expect(health).toEqual({ status: "ok", uptimeMs: expect.any(Number), legs: ["relay"] });
    const { handler: _, ...described } = example;
    expect(await (await fetch(`${origin}/legs.json`)).json()).toEqual([{ ...described, mounted: true }]);
  });

  test("leads to the page of a leg also without the last slash", async () => {
    const response = await fetch(`${origin}/relay`, { redirect: "manual" });
    expect([response.status, response.headers.get("location")]).toEqual([308, "/relay/"]);
  });

  test("closes its legs when it is closed", async () => {
    const closed: string[] = [];
    const leg = { ...example, close: async () => void closed.push("relay") };
    const short = createShowcase({ legs: [leg, example], publicFolder });
    await new Promise<void>((resolve) => short.listen(0, "127.0.0.1", resolve));
    expect(closed).toEqual([]);
    await new Promise((resolve) => short.close(resolve));
    expect(closed).toEqual(["relay"]);
  });

  test("hands a leg what is below its path", async () => {
    expect(await (await fetch(`${origin}/relay/look`)).text()).toBe("mounted");
  });
});

describe("the real legs", () => {
  test("say what the documentation says of their cost", async () => {
    const legs = await createLegs(publicFolder);
    const docs = readFileSync(new URL("../../../docs/figures.md", import.meta.url), "utf8");
    const said = legs.map(({ figure: { text, date, bench } }) => `${text} | ${date} | \`${bench}\``);
    await Promise.all(legs.map(({ close }) => close?.()));
    expect(said.filter((row) => !docs.includes(row))).toEqual([]);
    expect(said.length).toBe(3);
  });

  test("have ids of their own, and link only to what this server serves, of parts that are kept", async () => {
    const legs = await createLegs(publicFolder);
    expect(new Set(legs.map(({ id }) => id)).size).toBe(legs.length);
    const whole = createShowcase({ legs, publicFolder });
    await new Promise<void>((resolve) => whole.listen(0, "127.0.0.1", resolve));
    const base = `http://127.0.0.1:${(whole.address() as AddressInfo).port}`;
    const paths = legs.flatMap(({ links }) => links.map(({ path }) => path));
    const answers = await Promise.all(
      ["/", ...paths].map(async (path) => {
        const response = await fetch(base + path);
        const html = await response.text();
        const parts = Array.from(
          html.matchAll(/(?:href|src)="([^"?]+\.(?:css|js|svg)\b[^"]*)"/g),
          ([, address = ""]) =>
            fetch(new URL(address, base + path)).then(
              ({ headers }) => `${address}: ${headers.get("cache-control")}`,
            ),
        );
        return {
          path,
          status: response.status,
          hasBanner: html.includes('class="home"'),
          parts: await Promise.all(parts),
        };
      }),
    );
    whole.closeAllConnections();
    whole.close();
    expect(answers.filter(({ status, hasBanner }) => status !== 200 || !hasBanner)).toEqual([]);
    // Whatever a page is made of, a browser that was there before has it.
    for (const { path, parts } of answers) {
      expect(parts.length, path).toBeGreaterThanOrEqual(4);
      expect(
        parts.filter((part) => !/\?v=.*: public, max-age=31536000, immutable$/.test(part)),
        path,
      ).toEqual([]);
    }
  });
});

describe("the program", () => {
  const program = fileURLToPath(new URL("../dist/main.js", import.meta.url));
  const start = (port: number): ChildProcess =>
    spawn(process.execPath, [program], { env: { ...process.env, PORT: String(port) }, stdio: "pipe" });
  const exitCode = (child: ChildProcess) => new Promise((resolve) => child.once("exit", resolve));

  test("ends when its port is in use, and says so", async () => {
    const child = start(Number(new URL(origin).port));
    let said = "";
    child.stderr?.setEncoding("utf8").on("data", (part: string) => (said += part));
    expect(await exitCode(child)).toBe(1);
    expect(said).toContain("is in use");
  });

  test("ends at a signal, with a stream of the relay still open", async () => {
    const child = start(0);
    const url = await new Promise<string>((resolve) =>
      child.stdout
        ?.setEncoding("utf8")
        .on("data", (text: string) => resolve(/http:\S+/.exec(text)?.[0] ?? "")),
    );
    const stream = await fetch(`${url}relay/all`, { headers: { authorization: "demo-sdk-key" } });
    expect(stream.status).toBe(200);
    const ended = stream.text().catch(() => "cut off");
    child.kill("SIGTERM");
    expect(await exitCode(child)).toBe(0);
    await ended;
  });
});

/** Sends a path as it stands: `fetch` would tidy it up. */
function rawStatusLine(path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(origin);
    const socket = createConnection(Number(port), hostname, () =>
      socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`),
    );
    let text = "";
    socket.setEncoding("utf8").on("data", (part: string) => (text += part));
    socket.on("end", () => resolve(text.split("\r\n", 1)[0] ?? "")).on("error", reject);
  });
}
