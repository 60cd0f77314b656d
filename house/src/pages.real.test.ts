import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { launchChromium } from "@wye-examples/page-parts/chromium";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
// The site is no package; what serves it is a script.
import { siteServer } from "../../docs/serve.mjs";
import { fileAt, siteFiles } from "../../docs/site-files.mjs";
import { faultsOf, ways } from "./page-tour.js";
import { root } from "./workspace.js";

const screenshots = process.env.WYE_SCREENSHOTS ?? join(root, "house", ".reports", "screenshots");
const built = join(root, "docs", ".vitepress", "dist");
const files = siteFiles(built);

/** Every page that somebody wrote, and two of each kind of pages that are alike: families of rules, decisions, the reference. */
const sampled = [
  { below: "/pipelines/rules/", kept: ["importers", "unused-parts"] },
  { below: "/decisions/", kept: ["", "0377-many-flags-are-one-question-to-webassembly"] },
  { below: "/reference/", kept: ["", "relay-redis/"] },
];
const written = [...files]
  .filter((file) => file.endsWith(".html"))
  .map((file) => file.replace(/(?:index)?\.html$/, ""))
  .filter((path) => sampled.every(({ below }) => !path.startsWith(below)));
const sitePages = [
  ...written,
  ...sampled.flatMap(({ below, kept }) => kept.map((name) => below + name)),
].sort();

/** The pages of the showcase, and what is to be seen when one is there. */
const showcasePages = [
  { path: "/", shown: ".health.up" },
  { path: "/nothing", shown: ".missing" },
  { path: "/pipelines/", shown: "#problems button" },
  { path: "/pipelines/run/", shown: "[data-box]" },
  { path: "/pipelines/follow/", shown: "form, [data-box]" },
  { path: "/vehicles/", shown: "[role=option]" },
  { path: "/vehicles/api.html", shown: ".opblock" },
  { path: "/relay/", shown: "html[data-ready=complete]" },
];

let browser: Browser;
let site: Server;
let showcase: ChildProcess;
let origins: { readonly site: string; readonly showcase: string };

beforeAll(async () => {
  mkdirSync(screenshots, { recursive: true });
  browser = await launchChromium();
  site = siteServer(built);
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  showcase = spawn(process.execPath, [join(root, "examples", "showcase", "dist", "main.js")], {
    env: { ...process.env, PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const address = await new Promise<string>((resolve, reject) => {
    showcase.stdout?.setEncoding("utf8").on("data", (text: string) => {
      const found = /http:\S+(?=\/)/.exec(text)?.[0];
      if (found !== undefined) resolve(found);
    });
    showcase.once("exit", () => reject(new Error("the showcase does not start")));
  });
  origins = { site: `http://127.0.0.1:${(site.address() as AddressInfo).port}`, showcase: address };
});
afterAll(async () => {
  await browser?.close();
  site?.closeAllConnections();
  site?.close();
  if (showcase?.exitCode === null) {
    showcase.kill("SIGTERM");
    await once(showcase, "exit");
  }
});

/** Looks at a page in all ways, and tells all that is wrong. */
async function tour(
  origin: string,
  path: string,
  ready: (page: Page) => Promise<unknown>,
): Promise<string[]> {
  const faults: string[] = [];
  for (const width of new Set(ways.map((way) => way.width))) {
    const page = await browser.newPage({ viewport: { width, height: 844 } });
    const complaints: string[] = [];
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("request", (request) => {
      if (!/^(?:data|blob):/.test(request.url()) && !request.url().startsWith(origin))
        complaints.push(`it asks ${request.url()}`);
    });
    const [way] = ways;
    await page.emulateMedia(way);
    const answer = await page.goto(origin + path);
    await ready(page);
    for (const way of ways.filter((one) => one.width === width)) {
      const { colorScheme, reducedMotion } = way;
      const name = `${width} px, ${colorScheme}, motion ${reducedMotion}`;
      await page.emulateMedia({ colorScheme, reducedMotion });
      faults.push(...(await faultsOf(page, way)).map((fault) => `${name}: ${fault}`));
      if (reducedMotion === "reduce") {
        await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
        const file = `${new URL(origin).port === new URL(origins.site).port ? "docs" : "showcase"}${path}`;
        await page.screenshot({
          path: join(screenshots, `${file.replaceAll(/[^\w-]+/g, "_")}-${width}-${colorScheme}.png`),
          fullPage: true,
        });
      }
    }
    // The browser itself says so of a page that is not there.
    const expected = answer?.status() === 404 ? /status of 404/ : /^$/;
    faults.push(...complaints.filter((complaint) => !expected.test(complaint)));
    await page.close();
  }
  return faults;
}

for (const path of sitePages) {
  test(`the site can be read and used in all ways: ${path}`, async () => {
    expect(fileAt(files, path)).toBeDefined();
    const ready = (page: Page) =>
      page.waitForFunction(() => "__vue_app__" in (document.querySelector("#app") ?? {}));
    expect(await tour(origins.site, path, ready)).toEqual([]);
  });
}

for (const { path, shown } of showcasePages) {
  test(`the showcase can be read and used in all ways: ${path}`, async () => {
    expect(await tour(origins.showcase, path, (page) => page.locator(shown).first().waitFor())).toEqual([]);
  });
}
