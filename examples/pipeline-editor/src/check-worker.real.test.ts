import { readdirSync, readFileSync } from "node:fs";
import { validatePipeline } from "@wye/pipeline-validator";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CheckAnswer, CheckRequest } from "./check/check-messages.js";
import { activeLine, openRealPage, openText, type RealPage, waitForSummary } from "./real-page.js";

const folders = [
  new URL("../data/", import.meta.url),
  new URL("../../../packages/pipeline-spec/testdata/pipelines/valid/", import.meta.url),
  new URL("../../../packages/pipeline-spec/testdata/pipelines/invalid/", import.meta.url),
];
const texts = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(?:yaml|json|png)$/.test(name))
    .map((name) => ({ name, text: readFileSync(new URL(name, folder), "utf8") })),
);

let real: RealPage;
let hangs = false;
beforeAll(async () => {
  // A worker that never comes back, in place of the real one.
  real = await openRealPage((request, response, next) => {
    if (!hangs || request.url?.startsWith("/here/check-worker.js") !== true) next();
    else response.setHeader("content-type", "text/javascript").end("onmessage = () => { for (;;); };");
  });
});
afterAll(() => real?.close());

/** Asks the worker of the page as the page does. */
function askWorker(page: Page, request: CheckRequest): Promise<CheckAnswer> {
  return page.evaluate(
    (message) =>
      new Promise<CheckAnswer>((resolve, reject) => {
        const worker = new Worker("check-worker.js", { type: "module" });
        worker.addEventListener("error", () => reject(new Error("the worker fails")));
        worker.addEventListener("message", ({ data }) => {
          worker.terminate();
          resolve(data);
        });
        worker.postMessage(message);
      }),
    request,
  );
}

test("there are texts with and without mistakes", () => {
  const ok = texts.filter(({ text }) => validatePipeline(text).ok).length;
  expect(ok).toBeGreaterThan(60);
  expect(texts.length - ok).toBeGreaterThanOrEqual(4);
});

for (const profile of ["kfp", "spec"] as const) {
  test(`the worker in the browser finds what Node finds, at the same places, by the rules of ${profile}`, async () => {
    await real.on({}, async (page) => {
      for (const { name, text } of texts) {
        const answer = await askWorker(page, { id: 1, text, profile });
        expect(answer, name).toMatchObject({
          id: 1,
          kind: "report",
          report: validatePipeline(text, { profile }),
        });
      }
    });
  });
}

test("the page lists what Node finds", async () => {
  await real.on({}, async (page) => {
    const text = readFileSync(new URL("training-with-mistakes.yaml", folders[0]), "utf8");
    await waitForSummary(page, "5 errors, 1 warning");
    const places = validatePipeline(text).problems.map(
      ({ range, code }) => `${range?.start.line}:${range?.start.column} · ${code}`,
    );
    await expect.poll(() => page.locator("#problems code").allTextContents()).toEqual(places);
  });
});

test("typing goes on while the worker hangs; it is ended, and the next one checks the text of then", async () => {
  hangs = true;
  await real.on({}, async (page) => {
    await page.locator(".cm-content").focus();
    await page.keyboard.press("ControlOrMeta+Home");
    await page.keyboard.type("# typed while nobody answers");
    expect(await activeLine(page)).toContain("# typed while nobody answers");
    await page.locator("#summary", { hasText: "Checking took too long and was stopped" }).waitFor();
    hangs = false;
    await page.keyboard.type("!");
    await waitForSummary(page, "5 errors, 1 warning");
    await page.getByRole("treeitem", { name: /^task notify/ }).waitFor();
  });
  hangs = false;
});

const tasksOf = (count: number): string => {
  const tasks = Array.from(
    { length: count },
    (_, place) =>
      `      task-${place}: {taskInfo: {name: task-${place}}, componentRef: {name: comp-a}, dependentTasks: [${
        place < 15 ? "" : `task-${Math.floor(place / 2)}, task-${place - 7}`
      }]}`,
  );
  return `pipelineInfo: {name: many}
schemaVersion: 2.1.0
root:
  dag:
    tasks:
${tasks.join("\n")}
components: {comp-a: {executorLabel: exec-a}}
deploymentSpec: {executors: {exec-a: {container: {image: busybox, command: [date]}}}}
`;
};

test("500 tasks are drawn, 601 are counted but not drawn", async () => {
  await real.on({}, async (page) => {
    await openText(page, "many.yaml", tasksOf(500));
    await page
      .locator("#note")
      .filter({ hasText: /^500 tasks$/ })
      .waitFor();
    await expect.poll(() => page.getByRole("treeitem").count()).toBe(500);
    await page.locator("#fit").click();
    await openText(page, "more.yaml", tasksOf(601));
    await page.locator("#note").filter({ hasText: "more than 600 tasks: too many to draw" }).waitFor();
    await waitForSummary(page, "No problems");
    expect(await page.getByRole("treeitem").count()).toBe(0);
  });
});
