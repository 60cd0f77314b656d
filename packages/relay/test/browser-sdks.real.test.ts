import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventsUntil } from "./events-until.js";
import type { BrowserSdkOptions } from "./sdk-programs/browser-sdk.js";
import { flag, keys, type Running, type StartOptions, startRelay } from "./start-relay.js";

const sdks = [
  {
    name: "the previous browser SDK",
    program: new URL("./sdk-programs/previous-browser-sdk.ts", import.meta.url),
    diagnostic: "diagnostic-combined",
  },
  {
    name: "the newest browser SDK",
    program: new URL("./sdk-programs/newest-browser-sdk.ts", import.meta.url),
    diagnostic: "diagnostic-init",
  },
];

let browser: Browser;
let pages: Server;
/** Where the pages come from: another port than the relay's, and so another origin. */
let origin: string;

beforeAll(async () => {
  const executablePath = process.env.WYE_CHROMIUM;
  if (executablePath === undefined) throw new Error("WYE_CHROMIUM must name a Chromium; .ci/run sets it");
  const scripts = await Promise.all(sdks.map(({ program }) => bundle(fileURLToPath(program))));
  pages = createServer((req, res) => {
    const script = scripts[Number(req.url?.slice(1))];
    if (script === undefined) res.writeHead(204).end();
    else
      res
        .writeHead(200, { "content-type": "text/html" })
        .end(`<button>Buy</button><script>${script}</script>`);
  });
  await new Promise<void>((resolve) => pages.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
  browser = await chromium.launch({
    executablePath,
    timeout: 300_000,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-sync",
    ],
  });
});
afterAll(async () => {
  await browser?.close();
  pages?.closeAllConnections();
  pages?.close();
});

async function bundle(program: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [program],
    bundle: true,
    write: false,
    platform: "browser",
    format: "iife",
    minify: true,
  });
  return (outputFiles[0]?.text ?? "").replaceAll("</script", "<\\/script");
}

/** The SDK in a page. */
interface OpenPage {
  readonly page: Page;
  /** Everything that was written to the console. */
  readonly console: string[];
  start(options?: Partial<BrowserSdkOptions>): Promise<string>;
  /** Waits until the flags of the page are these. */
  shows(flags: Record<string, unknown>): Promise<void>;
}

async function openPage(sdk: number, relay: { readonly url: string }): Promise<OpenPage> {
  const page = await browser.newPage();
  page.setDefaultTimeout(300_000);
  const console: string[] = [];
  page.on("console", (message) => console.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => console.push(String(error)));
  await page.goto(`${origin}/${sdk}`);
  return {
    page,
    console,
    start: (options) =>
      page.evaluate((all) => window.sdk.start(all), {
        relay: relay.url,
        envId: keys.envId,
        user: "alice",
        useReport: false,
        ...options,
      }),
    async shows(flags) {
      await expect.poll(() => page.evaluate(() => window.sdk.allFlags()), { interval: 5 }).toEqual(flags);
    },
  };
}

for (const [sdk, { name, diagnostic }] of sdks.entries()) {
  describe(name, () => {
    for (const useReport of [false, true]) {
      for (const clientStream of ["evaluated", "ping"] as const) {
        const method = useReport ? "REPORT" : "GET";
        test(`${method}, ${clientStream} streams: first values, put, patch, delete, reasons, another user`, async () => {
          const { relay, requests } = await start({ environments: { prod: { ...keys, clientStream } } });
          const upstream = relay.upstream.environment(keys.sdkKey);
          const { page, console, start: startSdk, shows } = await openPage(sdk, relay);
          expect(await startSdk({ useReport })).toBe("ready");
          await shows({ a: true, b: true });
          expect(await page.evaluate(() => window.sdk.detail("a"))).toEqual({
            value: true,
            variationIndex: 0,
            reason: { kind: "FALLTHROUGH" },
          });

          upstream.patch("flags", flag("a", 2, { on: false }));
          await shows({ a: false, b: true });
          expect(await page.evaluate(() => window.sdk.detail("a"))).toMatchObject({
            reason: { kind: "OFF" },
          });
          upstream.delete("flags", "b", 2);
          await shows({ a: false });
          upstream.put({ flags: { a: forAlice("a", 3), c: flag("c", 1) } });
          await shows({ a: true, c: true });
          await page.evaluate(() => window.sdk.identify("bob"));
          await shows({ a: false, c: true });
          upstream.patch("flags", flag("c", 2, { on: false }));
          await shows({ a: false, c: false });

          expect(new Set(requests.map(({ headers }) => headers.origin))).toEqual(new Set([origin]));
          const polls = requests.filter(
            (req) => req.method !== "OPTIONS" && req.url?.startsWith("/sdk/evalx/"),
          );
          expect(new Set(polls.map((poll) => poll.method))).toEqual(new Set([method]));
          // Streams with evaluated flags save all polls but the first of each user; with REPORT the SDKs ask for pings.
          expect(polls.length > 2).toBe(clientStream === "ping" || useReport);
          expect(console).toEqual([]);
          await page.close();
        });
      }
    }

    test("events arrive upstream as they should: identify, summary, feature, custom, diagnostics", async () => {
      const { relay } = await start({
        data: { [keys.sdkKey]: { flags: { a: flag("a", 7, { trackEvents: true }) } } },
      });
      const { page, console, start: startSdk } = await openPage(sdk, relay);
      expect(await startSdk()).toBe("ready");
      await page.evaluate(() => {
        window.sdk.variation("a", null);
        window.sdk.variation("a", null);
        window.sdk.track("bought", { sum: 12.5 });
        return window.sdk.flush();
      });
      const events = await eventsUntil(relay.upstream, [
        "identify",
        "summary",
        "feature",
        "custom",
        diagnostic,
      ]);
      expect(events.identify).toMatchObject({ context: { kind: "user", key: "alice" } });
      expect(events.feature).toMatchObject({
        key: "a",
        version: 7,
        value: true,
        variation: 0,
        default: null,
      });
      expect(events.custom).toMatchObject({ key: "bought", data: { sum: 12.5 } });
      expect(events.summary).toMatchObject({
        features: {
          a: { counters: [{ value: true, variation: 0, version: 7, count: 2 }], contextKinds: ["user"] },
        },
      });
      for (const [kind, { post }] of Object.entries(events)) {
        expect(post.path).toBe(`/events/${kind === diagnostic ? "diagnostic" : "bulk"}/${keys.envId}`);
        expect(post.gzip).toBe(true);
        expect(post.headers).toMatchObject({ "content-type": "application/json" });
        expect(post.headers).not.toHaveProperty("authorization");
        expect(kind === diagnostic || post.headers["x-launchdarkly-event-schema"]).toBeOneOf([true, "4"]);
      }
      expect(console).toEqual([]);
      await page.close();
    });

    test("goals are counted: a page view and a click arrive upstream as events", async () => {
      const urls = [{ kind: "substring", substring: "127.0.0.1" }];
      const { relay } = await start({
        goals: JSON.stringify([
          { key: "seen", kind: "pageview", urls },
          { key: "clicked", kind: "click", urls, selector: "button" },
        ]),
      });
      const { page, console, start: startSdk } = await openPage(sdk, relay);
      expect(await startSdk()).toBe("ready");
      const seen = await eventsUntil(relay.upstream, ["pageview"], () =>
        page.evaluate(() => window.sdk.flush()),
      );
      expect(seen.pageview).toMatchObject({ key: "seen", url: `${origin}/${sdk}` });
      await page.click("button");
      const clicked = await eventsUntil(relay.upstream, ["click"], () =>
        page.evaluate(() => window.sdk.flush()),
      );
      expect(clicked.click).toMatchObject({ key: "clicked", selector: "button" });
      expect(relay.upstream.goalsRequests.map(({ path }) => path)).toEqual([`/sdk/goals/${keys.envId}`]);
      expect(console).toEqual([]);
      await page.close();
    });

    for (const useReport of [false, true]) {
      test(`secure mode, ${useReport ? "REPORT" : "GET"}: a right signature is served, for each user its own`, async () => {
        const { relay } = await start({
          data: { [keys.sdkKey]: { flags: { a: forAlice("a", 1) } } },
          environments: { prod: { ...keys, secureMode: true } },
        });
        const upstream = relay.upstream.environment(keys.sdkKey);
        const { page, console, start: startSdk, shows } = await openPage(sdk, relay);
        expect(await startSdk({ useReport, hash: signed("alice") })).toBe("ready");
        await shows({ a: true });
        upstream.patch("flags", flag("a", 2, { on: false }));
        await shows({ a: false });
        upstream.patch("flags", forAlice("a", 3));
        await shows({ a: true });
        await page.evaluate((hash) => window.sdk.identify("bob", hash), signed("bob"));
        await shows({ a: false });
        expect(console).toEqual([]);
        await page.close();
      });
    }

    test("secure mode: a wrong signature gets no flags", async () => {
      const { relay, requests } = await start({ environments: { prod: { ...keys, secureMode: true } } });
      const { page, console, start: startSdk } = await openPage(sdk, relay);
      expect(await startSdk({ hash: signed("bob") })).not.toBe("ready");
      expect(await page.evaluate(() => window.sdk.variation("a", "fallback"))).toBe("fallback");
      expect(requests.some(({ url }) => url?.includes(`h=${signed("bob")}`))).toBe(true);
      expect(console).toContainEqual(expect.stringContaining("status of 400"));
      expect(besides(console, [/status of 400/, /flag settings: 400/, /Unknown feature flag/])).toEqual([]);
      await page.close();
    });

    test("goes on after the relay was restarted on the same port, with the values of then", async () => {
      const first = await start();
      const { page, console, start: startSdk, shows } = await openPage(sdk, first.relay);
      expect(await startSdk()).toBe("ready");
      await shows({ a: true, b: true });
      await first.relay.stop();
      const second = await start({
        port: Number(new URL(first.relay.url).port),
        data: { [keys.sdkKey]: { flags: { a: flag("a", 5, { on: false }), c: flag("c", 1) } } },
      });
      await shows({ a: false, c: true });
      second.relay.upstream.environment(keys.sdkKey).patch("flags", flag("a", 6));
      await shows({ a: true, c: true });
      // The relay answers 503 while it closes; between the two nobody listens.
      const expected = [/will (continue )?retry/, /status of 503/, /net::ERR_/, /network error/];
      expect(besides(console, expected)).toEqual([]);
      await page.close();
    });

    test("a page of an origin that is not allowed is refused by the browser, one that is allowed is served", async () => {
      const elsewhere = "https://shop.example";
      const refusing = await start({ environments: { prod: { ...keys, allowedOrigins: [elsewhere] } } });
      const refused = await openPage(sdk, refusing.relay);
      expect(await refused.start()).not.toBe("ready");
      expect(await refused.page.evaluate(() => window.sdk.allFlags())).toEqual({});
      expect(refused.console).toContainEqual(expect.stringContaining("blocked by CORS policy"));
      const expected = [/blocked by CORS policy/, /net::ERR_FAILED/, /network error/, /fetching goals/];
      expect(besides(refused.console, expected)).toEqual([]);
      await refused.page.close();

      const allowing = await start({
        environments: { prod: { ...keys, allowedOrigins: [elsewhere, origin] } },
      });
      const allowed = await openPage(sdk, allowing.relay);
      expect(await allowed.start()).toBe("ready");
      await allowed.shows({ a: true, b: true });
      allowing.relay.upstream.environment(keys.sdkKey).patch("flags", flag("a", 2, { on: false }));
      await allowed.shows({ a: false, b: true });
      expect(allowed.console).toEqual([]);
      await allowed.page.close();
    });
  });
}

/** What a console shows besides what a test expects. */
const besides = (console: readonly string[], expected: readonly RegExp[]): string[] =>
  console.filter((line) => !expected.some((one) => one.test(line)));

/** The signature of a user of the environment. */
const signed = (user: string): string => createHmac("sha256", keys.sdkKey).update(user).digest("hex");

/** A flag that is true for one user and false for the others. */
const forAlice = (key: string, version: number) =>
  flag(key, version, { fallthrough: { variation: 1 }, targets: [{ variation: 0, values: ["alice"] }] });

/** Starts a relay with two flags that writes down what it is asked. */
async function start(options: StartOptions = {}): Promise<{ relay: Running; requests: IncomingMessage[] }> {
  const requests: IncomingMessage[] = [];
  const relay = await startRelay({
    data: { [keys.sdkKey]: { flags: { a: flag("a", 1), b: flag("b", 1) } } },
    mount:
      ({ handler }) =>
      (req, res) => {
        requests.push(req);
        handler(req, res);
      },
    ...options,
    options: { events: { flushInterval: 20 }, ...options.options },
  });
  return { relay, requests };
}
