import { expect, test } from "vitest";
import { runPipeline } from "../src/node/index.js";
import { makeFolder } from "./make-folder.js";
import { shellPipeline } from "./shell-pipeline.js";

test("a task whose run is cancelled while it is prepared is not carried out any more", async () => {
  const controller = new AbortController();
  let begun = 0;
  const { state, tasks } = await runPipeline(shellPipeline({ only: { run: "true" } }), {
    pipelineRoot: makeFolder(),
    signal: controller.signal,
    executor: { execute: async () => ({ ok: ++begun > 0, message: "" }) },
    onEvent: (event) => {
      if (event.task === "only" && event.state === "RUNNING") queueMicrotask(() => controller.abort());
    },
  });
  expect([begun, state, tasks[0]?.state]).toEqual([0, "CANCELLED", "CANCELLED"]);
});
