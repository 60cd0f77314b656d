import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadExample, openRealPage, openText, type RealPage, waitForSummary } from "./real-page.js";

let real: RealPage;
beforeAll(async () => {
  real = await openRealPage();
});
afterAll(() => real?.close());

const broken = "5 errors, 1 warning";
const textIn = async (page: Page): Promise<string> =>
  (await page.locator(".cm-line").allTextContents()).join("\n");
const small = "root: {dag: {tasks: {only: {componentRef: {name: x}}}}}\n";

test("a misspelt name is replaced by the button of its hint, and by a key", async () => {
  await real.on({}, async (page) => {
    await waitForSummary(page, broken);
    await page.locator(".cm-lintRange-error", { hasText: "comp-splitt" }).hover();
    await page.locator(".cm-diagnosticAction", { hasText: "Replace by “comp-split”" }).click();
    await page.locator(".cm-lintRange-error", { hasText: "comp-splitt" }).waitFor({ state: "detached" });
    await waitForSummary(page, "4 errors");
    await page.locator("#problems button", { hasText: "bset" }).click();
    await page.keyboard.press("ControlOrMeta+.");
    await waitForSummary(page, "3 errors");
    await page.keyboard.press("ControlOrMeta+z");
    await waitForSummary(page, "4 errors");
  });
});

test("a misspelt name is replaced from the list, where nothing hovers", async () => {
  await real.on({ hasTouch: true, viewport: { width: 390, height: 844 } }, async (page) => {
    await waitForSummary(page, broken);
    await page.getByRole("button", { name: "Replace by “comp-split”" }).tap();
    await waitForSummary(page, "4 errors");
    expect(await textIn(page)).not.toContain("comp-splitt");
    await expect.poll(() => page.locator("#problems", { hasText: "comp-split" }).count()).toBe(0);
  });
});

test("a rule leads to where it is explained", async () => {
  await real.on({}, async (page) => {
    await waitForSummary(page, broken);
    await page.locator(".cm-lintRange-error", { hasText: "comp-splitt" }).hover();
    const href = await page.locator(".cm-tooltip-lint a").getAttribute("href");
    expect(href).toMatch(/^https:.*#component-unknown$/);
    await expect
      .poll(() => page.getByRole("link", { name: "component-unknown" }).first().getAttribute("href"))
      .toBe(href);
    // Every problem of the list is one of a rule.
    await expect.poll(() => page.locator("#problems a[href*='#']").count()).toBe(6);
  });
});

test("names that the file declares are offered where one belongs", async () => {
  await real.on({}, async (page) => {
    await loadExample(page, "training.yaml", /^8 tasks$/);
    await page.locator(".cm-line", { hasText: "componentRef: {name: comp-import-table}" }).click();
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowLeft");
    for (let count = 0; count < "import-table".length; count++) await page.keyboard.press("Backspace");
    await page.keyboard.press("ControlOrMeta+Space");
    const offered = page.locator(".cm-tooltip-autocomplete li");
    await offered.first().waitFor();
    const labels = await page.locator(".cm-completionLabel").allTextContents();
    expect(labels).toContain("comp-fit");
    expect(labels).not.toContain("import-table");
    await page.keyboard.type("imp");
    await offered.filter({ hasText: "comp-import-table" }).waitFor();
    await page.keyboard.press("Enter");
    await waitForSummary(page, "No problems");
  });
});

test("what somebody wrote outlives a reload, and is not thrown away without asking", async () => {
  await real.on({}, async (page) => {
    await openText(page, "small.yaml", small);
    await waitForSummary(page, "3 errors, 1 warning");
    // A file that was not changed is where it came from, and nothing to ask about.
    await openText(page, "other.yaml", small.replace("only", "other"));
    await page.locator(".cm-line", { hasText: "other" }).waitFor();
    await openText(page, "small.yaml", small);
    await page.locator(".cm-line", { hasText: "only" }).waitFor();
    await page.reload();
    await page.locator(".cm-line", { hasText: "only" }).waitFor();
    await expect.poll(() => page.locator("#example option:checked").textContent()).toBe("Your text");
    const asked: string[] = [];
    page.once("dialog", (dialog) => {
      asked.push(dialog.message());
      void dialog.dismiss();
    });
    await page.getByLabel("Example").selectOption("training.yaml");
    await expect.poll(() => asked).toEqual([expect.stringContaining("Replace the text?")]);
    expect(await textIn(page)).toContain("only");
    await expect.poll(() => page.locator("#example option:checked").textContent()).toBe("Your text");
    page.once("dialog", (dialog) => void dialog.accept());
    await loadExample(page, "training.yaml", /^8 tasks$/);
    await waitForSummary(page, "No problems");
    // An example as it came is nothing to ask about, nor to keep.
    await page.reload();
    await waitForSummary(page, broken);
  });
});

test("a link has the text in it, and a broken one says so", async () => {
  await real.on({ permissions: ["clipboard-read", "clipboard-write"] }, async (page) => {
    await openText(page, "small.yaml", small);
    await waitForSummary(page, "3 errors, 1 warning");
    await page.locator("#link").click();
    await waitForSummary(page, "A link with the text is in the clipboard.");
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expect(link).toMatch(/\/here\/#text=[\w-]+$/);
    const loadAnew = async (address: string, shown: string) => {
      await page.evaluate(() => localStorage.clear());
      await page.goto("about:blank");
      await page.goto(address);
      await page.locator(".cm-line", { hasText: shown }).waitFor();
    };
    await loadAnew(link, "only");
    expect(new URL(page.url()).hash).toBe("");
    // A text is kept once more when it was checked: only then can it be forgotten.
    await waitForSummary(page, "3 errors, 1 warning");
    await loadAnew(link.slice(0, -20), "pipelineInfo");
    // In the page that is open already, too.
    await page.goto(link);
    await page.locator(".cm-line", { hasText: "only" }).waitFor();
  });
});

test("a link does not take the place of what somebody wrote before, unless they want that", async () => {
  await real.on({ permissions: ["clipboard-read", "clipboard-write"] }, async (page) => {
    await openText(page, "sent.yaml", small.replace("only", "sent"));
    await waitForSummary(page, "3 errors, 1 warning");
    await page.locator("#link").click();
    await waitForSummary(page, "A link with the text is in the clipboard.");
    const link = await page.evaluate(() => navigator.clipboard.readText());
    await openText(page, "own.yaml", small);
    await page.locator(".cm-line", { hasText: "only" }).waitFor();
    await waitForSummary(page, "3 errors, 1 warning");
    for (const { answer, shown } of [
      { answer: "dismiss", shown: "only" },
      { answer: "accept", shown: "sent" },
    ] as const) {
      await page.goto("about:blank");
      const asked = page.waitForEvent("dialog").then((dialog) => dialog[answer]());
      await page.goto(link);
      await asked;
      await page.locator(".cm-line", { hasText: shown }).waitFor();
      await page.reload();
      await page.locator(".cm-line", { hasText: shown }).waitFor();
    }
  });
});

test("the problems can be taken along as SARIF", async () => {
  await real.on({}, async (page) => {
    await waitForSummary(page, broken);
    const coming = page.waitForEvent("download");
    await page.locator("#sarif").click();
    const saved = await coming;
    expect(saved.suggestedFilename()).toBe("pipeline.sarif");
    const { version, runs } = JSON.parse(readFileSync(await saved.path(), "utf8"));
    expect([version, runs[0].results.length]).toEqual(["2.1.0", 6]);
  });
});
