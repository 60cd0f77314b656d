import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { readCatalogueFile } from "@wye/vehicle-catalogue/server";
import { comeToRest, launchChromium, listenForComplaints } from "@wye-examples/page-parts/chromium";
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createVehicleBrowser, dataFile } from "./vehicle-browser.js";

const screenshots = fileURLToPath(new URL("../.reports/screenshots/", import.meta.url));
let server: Server;
let origin: string;
let browser: Browser;

beforeAll(async () => {
  const publicFolder = fileURLToPath(new URL("../dist/public", import.meta.url));
  const catalogue = await readCatalogueFile(dataFile);
  const browse = createVehicleBrowser({ catalogue, publicFolder, prefix: "/cars" });
  server = createServer((request, response) =>
    browse(request, response, () => response.writeHead(404).end()),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  server?.closeAllConnections();
  server?.close();
});

/** The page with its first operation open. */
async function opened(page: Page): Promise<void> {
  await page.goto(`${origin}/cars/`);
  await page.getByRole("link", { name: "The API, described" }).click();
  await page
    .getByRole("button", { name: /\/v2\/vehicles/ })
    .first()
    .click();
  await page.locator(".opblock-body").waitFor();
}

for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [1280, 390]) {
    test(`the API is described as a page, from this server alone, ${colorScheme} and ${width} wide`, async () => {
      const page = await browser.newPage({ colorScheme, viewport: { width, height: 844 } });
      const complaints = listenForComplaints(page.context());
      const elsewhere: string[] = [];
      page.on("request", (request) => {
        if (!request.url().startsWith(origin) && !request.url().startsWith("data:"))
          elsewhere.push(request.url());
      });
      await opened(page);
      await expect.poll(() => page.locator("html.dark-mode").count()).toBe(colorScheme === "dark" ? 1 : 0);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflow).toBeLessThanOrEqual(0);
      await comeToRest(page);
      await page.evaluate(axe.source);
      const found = await page.evaluate(async () =>
        (await (window as unknown as { axe: typeof axe }).axe.run()).violations.map(({ id, nodes }) => [
          id,
          ...nodes.map(({ html }) => html.slice(0, 200)),
        ]),
      );
      expect(found).toEqual([]);
      await page.screenshot({ path: `${screenshots}api-${colorScheme}-${width}.png`, fullPage: true });
      expect([elsewhere, complaints]).toEqual([[], []]);
      await page.close();
    });
  }
}

test("the API can be tried on its page, with the key of the page", async () => {
  const page = await browser.newPage();
  await opened(page);
  await page.getByRole("button", { name: "Try it out" }).click();
  const answered = page.waitForResponse((response) => response.url().includes("/cars/v2/vehicles?"));
  await page.getByRole("button", { name: "Execute" }).click();
  const response = await answered;
  const { data } = (await response.json()) as { data: readonly unknown[] };
  expect([response.status(), data.length]).toEqual([200, 1]);
  await page.locator(".live-responses-table").waitFor();
  await page.close();
});
