import { expect, test } from "vitest";
import { aborted } from "./aborted.js";

test("what is aborted is waited for, and what was aborted before is not", async () => {
  const controller = new AbortController();
  let isOver = false;
  const over = aborted(controller.signal).then(() => {
    isOver = true;
  });
  await new Promise(setImmediate);
  expect(isOver).toBe(false);
  controller.abort();
  await over;
  await aborted(controller.signal);
});
