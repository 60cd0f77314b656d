import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { launchChromium, listenForComplaints } from "@wye-examples/page-parts/chromium";
import type { Handler } from "@wye-examples/page-parts/files";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { createPipelineEditor } from "./pipeline-editor.js";

/** The built page in a real browser, for tests. */
export interface RealPage {
  /** Opens the page, and fails at the end if anything was written to the console. */
  readonly on: (options: BrowserContextOptions, use: (page: Page) => Promise<void>) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** @param before  sees every request first */
export async function openRealPage(
  before: Handler = (_request, _response, next) => next(),
): Promise<RealPage> {
  const browser: Browser = await launchChromium();
  const publicFolder = fileURLToPath(new URL("../dist/public", import.meta.url));
  const edit = createPipelineEditor({ publicFolder, prefix: "/here" });
  const server: Server = createServer((request, response) =>
    before(request, response, () => edit(request, response, () => response.writeHead(404).end())),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/here/`;
  return {
    on: async (options, use) => {
      const page = await browser.newPage(options);
      const complaints = listenForComplaints(page.context());
      try {
        await page.goto(origin);
        await page.locator(".cm-line", { hasText: "pipelineInfo" }).waitFor();
        await use(page);
        if (complaints.length > 0) throw new Error(`the console says: ${complaints.join("; ")}`);
      } finally {
        await page.close();
      }
    },
    close: async () => {
      await browser.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Shows one of the examples, and waits until it was checked and drawn. What the one before it has said may be the same. */
export async function loadExample(page: Page, file: string, tasks: RegExp): Promise<void> {
  const [select, note] = [page.getByLabel("Example"), page.locator("#note")];
  await note.filter({ hasText: /./ }).waitFor();
  if ((await select.inputValue()) !== file) {
    await note.evaluate((element) => element.replaceChildren());
    await select.selectOption(file);
  }
  await note.filter({ hasText: tasks }).waitFor();
}

/** Puts a text in by way of the file chooser. */
export async function openText(page: Page, name: string, text: string): Promise<void> {
  await page.locator("#file").setInputFiles({ name, mimeType: "text/yaml", buffer: Buffer.from(text) });
}

/** The line that the cursor is in. */
export async function activeLine(page: Page): Promise<string | null> {
  return page.locator(".cm-activeLine").textContent();
}

/** Waits until the summary of the problems is this. */
export async function waitForSummary(page: Page, summary: string): Promise<void> {
  await page
    .locator("#summary")
    .filter({ hasText: new RegExp(`^${summary}$`) })
    .waitFor();
}
