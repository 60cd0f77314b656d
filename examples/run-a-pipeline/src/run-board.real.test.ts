import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { comeToRest, devices, launchChromium, listenForComplaints } from "@wye-examples/page-parts/chromium";
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRunBoard, type RunBoard } from "./create-run-board.js";

const example = fileURLToPath(new URL("..", import.meta.url));
const screenshots = fileURLToPath(new URL("../.reports/screenshots/", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "run-a-pipeline-"));
let browser: Browser;
/** One whose runs go on until they are stopped, and one whose runs are soon over. */
let boards: readonly RunBoard[] = [];
let server: Server;
let origin: string;

beforeAll(async () => {
  mkdirSync(screenshots, { recursive: true });
  browser = await launchChromium();
  const publicFolder = fileURLToPath(new URL("../dist/public", import.meta.url));
  const endless = createRunBoard({ prefix: "/endless", publicFolder, stepMs: 86_400_000 });
  const short = createRunBoard({ prefix: "/run", publicFolder, stepMs: 100 });
  boards = [endless, short];
  server = createServer((request, response) =>
    endless.handler(request, response, () =>
      short.handler(request, response, () => response.writeHead(404).end()),
    ),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(async () => {
  await browser?.close();
  for (const board of boards) await board.close();
  server?.closeAllConnections();
  server?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What is wrong for people who do not see, or use no mouse; the page's policy lets only the test put a script in. */
async function barriers(page: Page): Promise<readonly string[]> {
  const session = await page.context().newCDPSession(page);
  await session.send("Page.setBypassCSP", { enabled: true });
  await page.reload();
  await page.locator(".box").first().waitFor();
  await comeToRest(page);
  await page.evaluate(axe.source);
  // axe-core's own types know this; in the page it is a global.
  const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run());
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}

const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

describe("the page", () => {
  for (const { name, ...device } of devices) {
    test(`starts a run, colours its graph, stops it and shows the report on ${name}`, async () => {
      const page = await browser.newPage(device);
      const complaints = listenForComplaints(page.context());
      await page.goto(`${origin}endless/`);
      await page.getByRole("button", { name: "Run" }).click();
      await page.locator('[data-box="/fetch"][data-state=RUNNING]').waitFor();
      await page.screenshot({ path: `${screenshots}run-${name}.png`, fullPage: true });
      await page.getByRole("button", { name: "Stop" }).click();
      await page.getByRole("status").filter({ hasText: "was stopped" }).waitFor();
      await page.goto(`${origin}run/`);
      await page.getByLabel("Without data").selectOption("east");
      await page.getByRole("button", { name: "Run" }).click();
      await page.getByRole("status").filter({ hasText: "has failed" }).waitFor();
      await page.locator('[data-box="/for-each-region/fit"][data-state=FAILED]').waitFor();
      await page.locator('[data-box="/clean-up"][data-state=SUCCEEDED]').waitFor();
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      expect(await barriers(page)).toEqual([]);
      await page.getByRole("link", { name: "Report" }).click();
      await page.getByRole("heading", { name: "forecast" }).waitFor();
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      expect(await barriers(page)).toEqual([]);
      await page.screenshot({ path: `${screenshots}report-${name}.png`, fullPage: true });
      expect(complaints).toEqual([]);
      await page.close();
    });
  }

  test("the report is read with the keyboard: a box of the graph leads to its row", async () => {
    const page = await browser.newPage({ viewport: { width: 390, height: 800 } });
    await page.goto(`${origin}run/report`);
    await page.locator(".box a").first().focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator("details:target summary .name").textContent()).toBe("fetch");
    await page.locator("details:target summary").focus();
    await page.keyboard.press("Enter");
    await page.locator("details:target .details").getByText("1200").waitFor();
    await page.close();
  });
});

/** Runs the program in a pseudo-terminal of this size, and returns what it wrote there. */
function inTerminal(columns: number, rows: number, args: readonly string[]): Promise<string> {
  const script = `stty cols ${columns} rows ${rows}; exec "$@"`;
  const command = ["sh", "-c", script, "sh", process.execPath, "dist/main.js", ...args];
  const python = "import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)";
  const child = spawn("python3", ["-c", python, ...command], {
    cwd: example,
    stdio: ["ignore", "pipe", "inherit"],
    env: { PATH: String(execFileSync("sh", ["-c", 'printf %s "$PATH"'])), TERM: "xterm-256color" },
  });
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (part: string) => (text += part));
    child.once("error", reject).once("close", () => resolve(text));
  });
}

test("in a real terminal of 40 columns and 6 rows no picture is larger than that", async () => {
  const text = await inTerminal(40, 6, ["pipelines/forecast.yaml", folder]);
  const pictures = text
    .split("\u001b[?2026h")
    .slice(1)
    .map((picture) => picture.split("\u001b[?2026l")[0] ?? "");
  expect(pictures.length).toBeGreaterThan(3);
  for (const picture of pictures) {
    const lines = picture
      .replace(/.\[[?\d]*[A-Za-z]/g, "")
      .replaceAll("\r", "")
      .split("\n");
    expect(lines.length).toBeLessThanOrEqual(5);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(40);
  }
  expect(text).toContain("the run succeeded");
  const report = /\S+report\.html/.exec(text)?.[0] ?? "";
  expect(readFileSync(report, "utf8")).toContain("forecast: succeeded");
});
