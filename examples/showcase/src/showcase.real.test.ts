import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { devices, launchChromium, listenForComplaints } from "@wye-examples/page-parts/chromium";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createLegs } from "./create-legs.js";
import { listen } from "./listen.js";
import { createShowcase } from "./showcase.js";

const screenshots = fileURLToPath(new URL("../.reports/screenshots/", import.meta.url));
const publicFolder = fileURLToPath(new URL("../dist/public", import.meta.url));
const legs = await createLegs(publicFolder);
const server = createShowcase({ legs, publicFolder });
let origin: string;
let browser: Browser;

beforeAll(async () => {
  mkdirSync(screenshots, { recursive: true });
  origin = `http://127.0.0.1:${await listen(server, { exactly: 0 })}`;
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  server.closeAllConnections();
  server.close();
});

for (const { name, ...device } of devices) {
  test(`the page is whole on ${name}`, async () => {
    const page = await browser.newPage(device);
    const complaints = listenForComplaints(page.context());
    await page.goto(origin);
    await page.locator(".health.up").waitFor();
    await expect
      .poll(() => page.locator(".leg h3").allTextContents())
      .toEqual(legs.map(({ title }) => title));
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    // What to install is read whole, on a phone, too.
    const hidden = await page
      .locator(".lines pre:first-of-type")
      .evaluateAll(
        (lines) => lines.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length,
      );
    expect(hidden).toBe(0);
    await page.screenshot({ path: `${screenshots}${name}.png`, fullPage: true });
    expect(complaints).toEqual([]);
    await page.close();
  });
}

test("the first lines of a leg are copied with one press, and each page leads back", async () => {
  const context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] });
  const page = await context.newPage();
  const complaints = listenForComplaints(context);
  await page.goto(origin);
  await page.getByRole("button", { name: "Copy" }).first().click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    "npm install @wye/pipeline-validator",
  );
  for (const path of legs.flatMap(({ links }) => links.map((link) => link.path))) {
    await page.goto(origin + path);
    await page.getByRole("navigation", { name: "Wye" }).getByRole("link", { name: "Wye" }).click();
    await page.locator(".leg").first().waitFor();
  }
  expect(complaints).toEqual([]);
  await context.close();
});

test("a flag is flipped by way of the first page", async () => {
  const page = await browser.newPage();
  const complaints = listenForComplaints(page.context());
  const elsewhere: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(origin)) elsewhere.push(request.url());
  });
  await page.goto(origin);
  await page.getByRole("link", { name: "Flip a flag" }).click();
  await page.locator("html[data-ready=complete]").waitFor();
  await page.getByRole("switch", { name: "free-delivery-from is on" }).click();
  await page.locator("#delivery").filter({ hasText: "free from € 25" }).waitFor();
  await page.goto(origin);
  await page.getByRole("link", { name: "Status" }).click();
  await page.locator("#overall").filter({ hasText: "Healthy" }).waitFor();
  await page.waitForFunction(() => {
    const top = document.querySelector("#overall")?.getBoundingClientRect().top ?? -1;
    return top >= 0 && top < window.innerHeight;
  });
  expect(complaints).toEqual([]);
  expect(elsewhere).toEqual([]);
  await page.close();
});

test("a pipeline runs one click away, and its graph tells how far it is", async () => {
  const page = await browser.newPage();
  const complaints = listenForComplaints(page.context());
  await page.goto(origin);
  await page.getByRole("link", { name: "Run a pipeline" }).click();
  await page.getByRole("button", { name: "Run" }).click();
  await page.locator('[data-box="/for-each-region"][data-state=RUNNING]').waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByRole("status").filter({ hasText: "was stopped" }).waitFor();
  expect(complaints).toEqual([]);
  await page.close();
});

test("a run of the local runner is followed one click away", async () => {
  const page = await browser.newPage();
  const complaints = listenForComplaints(page.context());
  await page.goto(origin);
  await page.getByRole("link", { name: "Follow a run" }).click();
  await page.getByRole("button", { name: "Follow" }).click();
  await page.locator('[data-box="/collect"][data-state=SUCCEEDED]').waitFor();
  expect(complaints).toEqual([]);
  await page.close();
});

test("a pipeline is checked and drawn one click away", async () => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  const complaints = listenForComplaints(page.context());
  await page.goto(origin);
  await page.getByRole("link", { name: "Check a pipeline" }).click();
  await page.getByRole("treeitem").first().waitFor();
  expect(new URL(page.url()).pathname).toBe("/pipelines/");
  await expect.poll(() => page.locator("#problems button").count()).toBeGreaterThan(0);
  expect(complaints).toEqual([]);
  await page.close();
});

test("the page says so when the server is gone", async () => {
  const page = await browser.newPage();
  await page.route("**/health", (route) => route.abort());
  await page.goto(origin);
  await page.locator(".health.down").waitFor();
  await expect.poll(() => page.locator("#health").textContent()).toBe("The server does not answer");
  await page.close();
});
