import { mkdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { createPipelineClient } from "@wye/pipeline-client";
import { type ListeningFakePipelineServer, startFakePipelineServer } from "@wye/pipeline-client/testing";
import { comeToRest, devices, launchChromium, listenForComplaints } from "@wye-examples/page-parts/chromium";
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRunFollower } from "./create-run-follower.js";

const screenshots = fileURLToPath(new URL("../.reports/screenshots/", import.meta.url));
let browser: Browser;
let cluster: ListeningFakePipelineServer;
let server: Server;
let origin: string;

beforeAll(async () => {
  mkdirSync(screenshots, { recursive: true });
  browser = await launchChromium();
  cluster = await startFakePipelineServer({
    plan: () => [
      { afterMs: 0, state: "RUNNING", tasks: { collect: "SUCCEEDED", clean: "RUNNING" } },
      { afterMs: 500, state: "FAILED", message: "no rows", tasks: { clean: "FAILED" } },
    ],
  });
  const file = readFileSync(new URL("../pipelines/nightly.yaml", import.meta.url));
  await createPipelineClient({ host: cluster.url }).runs.create({ file, name: "tonight" });
  // No task on this machine ends before the test does.
  const publicFolder = fileURLToPath(new URL("../dist/public", import.meta.url));
  const handler = createRunFollower({ prefix: "/follow", publicFolder, stepMs: 1_000_000, pollMs: 100 });
  server = createServer((request, response) =>
    handler(request, response, () => response.writeHead(404).end()),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/follow/`;
});
afterAll(async () => {
  await browser?.close();
  server?.closeAllConnections();
  server?.close();
  await cluster?.close();
});

/** What is wrong for people who do not see, or use no mouse. */
async function barriers(page: Page): Promise<readonly string[]> {
  await comeToRest(page);
  await page.evaluate(axe.source);
  // axe-core's own types know this; in the page it is a global.
  const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run());
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}

describe("the page", () => {
  for (const { name, ...device } of devices) {
    test(`follows a run on this machine and one of a server on ${name}`, async () => {
      const page = await browser.newPage(device);
      const session = await page.context().newCDPSession(page);
      // Only the test puts a script into the page.
      await session.send("Page.setBypassCSP", { enabled: true });
      const complaints = listenForComplaints(page.context());
      await page.goto(origin);
      await page.getByRole("button", { name: "Follow" }).click();
      await page.locator('[data-box="/collect"][data-state=RUNNING]').waitFor();
      await page.screenshot({ path: `${screenshots}follow-${name}.png`, fullPage: true });
      await page.getByRole("status").filter({ hasText: "nightly, on this machine is running" }).waitFor();
      await page.getByLabel("Server").fill(cluster.url);
      await page.getByLabel("Run, by id or name").fill("tonight");
      await page.getByRole("button", { name: "Follow" }).click();
      await page.getByRole("status").filter({ hasText: "tonight has ended: failed" }).waitFor();
      await page.locator('[data-box="/clean"][data-state=FAILED]').waitFor();
      await expect
        .poll(() => page.getByRole("link", { name: "Its page on the server" }).getAttribute("href"))
        .toContain(cluster.url);
      const width = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(width).toBeLessThanOrEqual(0);
      expect(await barriers(page)).toEqual([]);
      await page.getByLabel("Run, by id or name").fill("nobody knows");
      await page.getByRole("button", { name: "Follow" }).click();
      await page.getByRole("status").filter({ hasText: "nobody knows" }).waitFor();
      await page.screenshot({ path: `${screenshots}problem-${name}.png`, fullPage: true });
      expect(complaints).toEqual([]);
      await page.close();
    });
  }
});
