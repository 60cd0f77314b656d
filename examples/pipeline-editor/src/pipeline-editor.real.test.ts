import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { comeToRest } from "@wye-examples/page-parts/chromium";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  activeLine,
  loadExample,
  openRealPage,
  openText,
  type RealPage,
  waitForSummary,
} from "./real-page.js";

const screenshots = fileURLToPath(new URL("../.reports/screenshots/", import.meta.url));
let real: RealPage;

beforeAll(async () => {
  mkdirSync(screenshots, { recursive: true });
  real = await openRealPage();
});
afterAll(() => real?.close());

const task = (page: Page, name: string) => page.getByRole("treeitem", { name: new RegExp(`^task ${name},`) });

/** Puts a text in by way of the clipboard, which would be another test's at the same time. */
const paste = (page: Page, text: string): Promise<void> =>
  page.locator(".cm-content").evaluate((content, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", pasted);
    content.dispatchEvent(new ClipboardEvent("paste", { bubbles: true, cancelable: true, clipboardData }));
  }, text);

/** Texts of the graph that leave their box, which no font should bring about. */
const overhanging = (page: Page): Promise<readonly string[]> =>
  page.locator(".task, .outputs").evaluateAll((boxes) =>
    boxes.flatMap((box) => {
      const right = box.querySelector("rect:last-of-type")?.getBoundingClientRect().right ?? 0;
      const own = [...box.querySelectorAll(":scope > text, :scope > g:not([role]) > text")];
      return own.filter((text) => text.getBoundingClientRect().right > right).map((text) => text.textContent);
    }),
  );

const devices = [
  { name: "desktop-light", colorScheme: "light", viewport: { width: 1400, height: 900 } },
  { name: "desktop-dark", colorScheme: "dark", viewport: { width: 1400, height: 900 } },
  { name: "phone-light", colorScheme: "light", viewport: { width: 360, height: 740 } },
  { name: "phone-dark", colorScheme: "dark", viewport: { width: 360, height: 740 } },
] as const;
const shown = [
  { file: "training-with-mistakes.yaml", tasks: /^8 tasks$/ },
  { file: "artifacts_complex.yaml", tasks: /^9 tasks$/ },
  { file: "flip_coin.yaml", tasks: /^13 tasks$/ },
  { file: "if_else_with_oneof_artifacts.yaml", tasks: /^9 tasks$/ },
  { file: "pipeline_with_exit_handler.yaml", tasks: /^4 tasks$/ },
];

/**
 * The rule wants the whole lettering of a box, and of all boxes in it, within its name. The name of the task is, which is
 * what one says to choose it; the rest is said in other words, as the lettering is shortened.
 */
const notMeant = { "label-content-name-mismatch": { enabled: false } };

for (const { name, ...device } of devices) {
  test(`pipelines are drawn whole and accessible on ${name}`, async () => {
    await real.on(device, async (page) => {
      for (const { file, tasks } of shown) {
        await loadExample(page, file, tasks);
        expect(await overhanging(page)).toEqual([]);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        expect(overflow).toBeLessThanOrEqual(0);
        await page.screenshot({ path: `${screenshots}${file}-${name}.png`, fullPage: true });
        await comeToRest(page);
        // Evaluated by the browser's debugger, which the content security policy lets pass.
        await page.evaluate(axe.source);
        const { violations } = await page.evaluate<axe.AxeResults>(
          `axe.run(document, ${JSON.stringify({ rules: notMeant })})`,
        );
        expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
      }
    });
  });
}

describe("the editor", () => {
  test("shows a mistake where it is typed, in the list and in the graph, until it is mended", async () => {
    await real.on({}, async (page) => {
      await loadExample(page, "training.yaml", /^8 tasks$/);
      await waitForSummary(page, "No problems");
      expect(await page.locator(".task.error, .task.warning").count()).toBe(0);
      await page.locator(".cm-line", { hasText: "componentRef: {name: comp-import-table}" }).click();
      await page.keyboard.press("End");
      await page.keyboard.press("ArrowLeft");
      await page.keyboard.type("s");
      await waitForSummary(page, "1 error, 1 warning");
      await expect
        .poll(() => page.locator(".cm-lintRange-error").allTextContents())
        .toEqual(["comp-import-tables"]);
      await expect.poll(() => page.locator(".cm-gutter-lint .cm-lint-marker-error").count()).toBe(1);
      const [first] = await page.locator("#problems li").allTextContents();
      expect(first).toContain('there is no component "comp-import-tables"');
      expect(first).toContain("15:30 · component-unknown");
      await page.locator(".task.error", { hasText: "import-table" }).waitFor();
      await expect
        .poll(() => task(page, "import-table").getAttribute("aria-label"))
        .toBe("task import-table, component comp-import-tables, not found, 1 error");
      await page.keyboard.press("Backspace");
      await waitForSummary(page, "No problems");
      await page.locator(".task.error").waitFor({ state: "detached" });
      expect(await page.locator(".cm-lintRange, #problems li").count()).toBe(0);
    });
  });

  test("tells what is wrong, what to do, and the rule, where one points", async () => {
    await real.on({}, async (page) => {
      await page.locator(".cm-lintRange-error").first().hover();
      const hint = page.locator(".cm-tooltip-lint");
      await hint.waitFor();
      await expect
        .poll(() => hint.locator(".cm-diagnostic div").allTextContents())
        .toEqual([
          'there is no component "comp-splitt"did you mean "comp-split"?component-unknown',
          'did you mean "comp-split"?',
          "component-unknown",
        ]);
      await page.screenshot({ path: `${screenshots}hint.png` });
    });
  });

  test("goes to the next problem with F8", async () => {
    await real.on({}, async (page) => {
      await waitForSummary(page, "5 errors, 1 warning");
      await page.locator(".cm-content").focus();
      await page.keyboard.press("F8");
      expect(await activeLine(page)).toContain("comp-splitt");
      await page.keyboard.press("F8");
      expect(await activeLine(page)).toContain("accuracies");
    });
  });

  test("takes a file from the chooser, and one that is dropped, and undoes that", async () => {
    await real.on({}, async (page) => {
      const small = "pipelineInfo: {name: small}\nroot: {dag: {tasks: {only: {componentRef: {name: x}}}}}\n";
      await openText(page, "small.yaml", small);
      await expect.poll(() => page.locator("#example option:checked").textContent()).toBe("Your text");
      await page
        .locator("#note")
        .filter({ hasText: /^1 task$/ })
        .waitFor();
      await page.evaluate((text) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File([text.replace("only", "dropped")], "other.yaml"));
        const target = document.querySelector("#editor");
        for (const type of ["dragover", "drop"])
          target?.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }));
      }, small);
      await task(page, "dropped").waitFor();
      await expect
        .poll(() => page.locator(".cm-line").allTextContents())
        .toContain("root: {dag: {tasks: {dropped: {componentRef: {name: x}}}}}");
      await page.locator(".cm-content").focus();
      await page.keyboard.press("ControlOrMeta+z");
      await task(page, "only").waitFor();
    });
  });

  test("refuses a file that is too large to edit, and says so", async () => {
    await real.on({}, async (page) => {
      await waitForSummary(page, "5 errors, 1 warning");
      await openText(page, "large.yaml", "#".repeat(8 * 1024 * 1024 + 1));
      await waitForSummary(page, "large.yaml has more than 8 MB: too much to edit here.");
      await expect.poll(() => page.locator(".cm-line").first().textContent()).toContain("mistakes");
    });
  });

  test("keeps the graph of what could be read last while the text cannot be read", async () => {
    await real.on({}, async (page) => {
      await loadExample(page, "training.yaml", /^8 tasks$/);
      await page.locator(".cm-content").focus();
      await page.keyboard.press("ControlOrMeta+Home");
      await page.keyboard.type("{");
      await page.locator(".canvas.faded").waitFor();
      await expect.poll(() => page.locator("#note").textContent()).toBe("The text cannot be read so far.");
      await expect.poll(() => page.getByRole("treeitem").count()).toBe(8);
      await page.keyboard.press("Backspace");
      await page.locator(".canvas:not(.faded)").waitFor();
    });
  });

  test("shows no graph of another text: of one that was emptied, or put in place of all there was", async () => {
    await real.on({}, async (page) => {
      const note = page.locator("#note");
      for (const { name, put, said } of [
        {
          name: "nothing",
          put: () => page.keyboard.press("Delete"),
          said: "There is no pipeline in this text.",
        },
        {
          name: "another format",
          put: () => paste(page, "hello"),
          said: "There is no pipeline in this text.",
        },
        {
          name: "no YAML",
          put: () => paste(page, "[section]\nkey = 1"),
          said: "The text cannot be read so far.",
        },
      ]) {
        await loadExample(page, "training.yaml", /^8 tasks$/);
        await page.locator(".cm-content").focus();
        await page.keyboard.press("ControlOrMeta+a");
        await put();
        await expect.poll(() => note.textContent(), { message: name }).toBe(said);
        await expect.poll(() => page.getByRole("treeitem").count(), { message: name }).toBe(0);
        await page.keyboard.press("ControlOrMeta+z");
        await task(page, "fit").waitFor();
      }
    });
  });

  test("keeps names as text", async () => {
    await real.on({}, async (page) => {
      const name = "<img src=x onerror=alert(1)>";
      await openText(page, "x.yaml", `root: {dag: {tasks: {"${name}": {componentRef: {name: "${name}"}}}}}`);
      await page.locator(".name", { hasText: name }).waitFor();
      await page.locator("#problems", { hasText: name }).waitFor();
      expect(await page.locator("img[src='x']").count()).toBe(0);
    });
  });
});

describe("the list and the graph", () => {
  test("lead to the text, and the cursor leads to the graph", async () => {
    await real.on({ reducedMotion: "reduce" }, async (page) => {
      await page.locator("#problems button", { hasText: "bset" }).click();
      expect(await activeLine(page)).toContain("inputs.parameter_values['bset']");
      expect(await page.locator(".cm-content").evaluate((content) => content.matches(":focus"))).toBe(true);
      await expect
        .poll(() => page.locator("[aria-selected=true] > title").allTextContents())
        .toEqual([expect.stringContaining("publish")]);
      await task(page, "evaluate").click();
      expect(await activeLine(page)).toBe("        evaluate:");
      await expect.poll(() => task(page, "evaluate").getAttribute("aria-selected")).toBe("true");
      await expect.poll(() => task(page, "publish").getAttribute("aria-selected")).toBe("false");
      await page.screenshot({ path: `${screenshots}chosen.png` });
    });
  });

  test("stay where they are when the graph is moved with the mouse", async () => {
    await real.on({ viewport: { width: 1000, height: 700 } }, async (page) => {
      await loadExample(page, "flip_coin.yaml", /^13 tasks$/);
      for (let count = 0; count < 4; count++) await page.locator("#larger").click();
      const scrolled = (): Promise<number> => page.locator("#canvas").evaluate((canvas) => canvas.scrollLeft);
      const before = await scrolled();
      const box = await page.locator("#canvas").boundingBox();
      const [x, y] = [box!.x + box!.width / 2, box!.y + box!.height / 2];
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x - 80, y, { steps: 4 });
      await page.mouse.up();
      expect(await scrolled()).toBe(before + 80);
      expect(await activeLine(page)).toBe("# PIPELINE DEFINITION");
    });
  });

  test("change with the rules", async () => {
    await real.on({}, async (page) => {
      await loadExample(page, "hello_world_schema_2_0_0.yaml", /^1 task$/);
      const count = (): Promise<number> => page.locator("#problems li").count();
      const before = await count();
      await page.getByLabel("Specification", { exact: true }).check();
      await expect.poll(count).not.toBe(before);
      await page.getByLabel("Kubeflow").check();
      await expect.poll(count).toBe(before);
    });
  });

  test("are used with the keyboard alone", async () => {
    await real.on({ reducedMotion: "reduce" }, async (page) => {
      await waitForSummary(page, "5 errors, 1 warning");
      await task(page, "notify").waitFor();
      const focused = (): Promise<string> =>
        page.evaluate(() => {
          const active = document.activeElement;
          return active?.getAttribute("aria-label") ?? active?.id ?? "";
        });
      const stops: string[] = [];
      for (let count = 0; count < 4; count++) {
        await page.keyboard.press("Tab");
        stops.push(await focused());
      }
      expect(stops).toEqual(["example", "open", "", "editor"]);
      // Past the two ways of taking it along.
      for (let count = 0; count < 3; count++) await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      expect(await activeLine(page)).toContain("comp-splitt");
      // Past the two ways of taking it along, all that is to be done with problems and the three buttons for the size.
      const inList = await page.locator("#problems :is(button, a)").count();
      for (let count = 0; count < 2 + inList + 3 + 1; count++) await page.keyboard.press("Tab");
      expect(await focused()).toMatch(/^task import-table, /);
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowRight");
      expect(await focused()).toBe("task fit, component comp-fit, 1 error");
      await page.keyboard.press("ArrowLeft");
      expect(await focused()).toMatch(/^task for-each-rate, .*, 2 errors$/);
      const width = (): Promise<number> =>
        page.locator("#canvas svg").evaluate((graph) => graph.getBoundingClientRect().width);
      const before = await width();
      await page.keyboard.press("+");
      expect(await width()).toBeGreaterThan(before);
      await page.keyboard.press("0");
      expect(await width()).toBeLessThanOrEqual(before);
      await page.keyboard.press("End");
      await page.keyboard.press("Enter");
      expect(await activeLine(page)).toBe("      notify:");
      expect(await focused()).toBe("editor");
    });
  });
});
