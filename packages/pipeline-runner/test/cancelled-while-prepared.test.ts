import { expect, test } from "vitest";
import { runPipeline } from "../src/node/index.js";
import { importing } from "./importing-pipeline.js";
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

test.each([
  ["a task that is given it", "change", false],
  ["an importer that copies it", "bring", true],
])("no store is asked for what %s needs once the run is cancelled", async (_, id, downloadToWorkspace) => {
  const controller = new AbortController();
  let asked = 0;
  const { state, tasks, warnings } = await runPipeline(
    importing("gs://bucket/data", "true", { downloadToWorkspace }),
    {
      pipelineRoot: makeFolder(),
      validate: false,
      signal: controller.signal,
      stores: { gs: { fetch: async () => void asked++ } },
      onEvent: ({ task, state }) => {
        if (task === id && state === "RUNNING") queueMicrotask(() => controller.abort());
      },
    },
  );
  const found = tasks.find((task) => task.id === id)?.state;
  expect([asked, state, found, warnings]).toEqual([0, "CANCELLED", "CANCELLED", []]);
});
