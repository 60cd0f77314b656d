import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { launchChromium } from "@wye-examples/page-parts/chromium";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { siteServer } from "../../docs/serve.mjs";
import { root } from "./workspace.js";

// What somebody asks for who wants to begin, and where the answer is.
const searches = [
  { asked: "install", found: "/start#install" },
  { asked: "getting started", found: "/start#sixty-seconds" },
  { asked: "express", found: "/relay/hosts#express" },
  { asked: "next.js", found: "/relay/hosts#nextjs" },
  { asked: "cycle", found: "/pipelines/rules/cycles#task-cycle" },
  { asked: "component-unknown", found: "/pipelines/rules/references#component-unknown" },
  { asked: "monaco", found: "/pipelines/browser#monaco" },
  { asked: "pre-commit", found: "/pipelines/ci#pre-commit" },
  { asked: "postgres", found: "/vehicles/#serve-a-database" },
  { asked: "write a rule", found: "/pipelines/policies#a-rule" },
];

let browser: Browser;
let site: Server;
let page: Page;

beforeAll(async () => {
  site = siteServer(join(root, "docs", ".vitepress", "dist"));
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  browser = await launchChromium();
  page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
});
afterAll(async () => {
  await browser?.close();
  site?.closeAllConnections();
  site?.close();
});

for (const { asked, found } of searches) {
  test(`the search for ${asked} leads to ${found}`, async () => {
    await page.getByRole("button", { name: "Search" }).first().click();
    await page.locator(".VPLocalSearchBox input").fill(asked);
    await expect
      .poll(() => page.locator(".VPLocalSearchBox .result").first().getAttribute("href"))
      .toBe(found);
    await page.keyboard.press("Escape");
    await page.locator(".VPLocalSearchBox").waitFor({ state: "detached" });
  });
}
