import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runPipeline } from "../src/node/index.js";
import { makeFolder } from "./make-folder.js";
import { shellPipeline } from "./shell-pipeline.js";

test("programs that are not there are named, with the image that would have them", async () => {
  const pipeline = shellPipeline({ task: { run: "true" } });
  const container = pipeline.deployment.executors["exec-task"]?.spec;
  if (container?.$case !== "container") return expect.unreachable("it is a container");
  container.value.command = ["no-such-program"];
  const result = await runPipeline(pipeline, { pipelineRoot: makeFolder() });
  expect(result.error?.message).toBe(
    `there is no program "no-such-program" on this machine; the image alpine would have it`,
  );
});

test("programs that are there but cannot be run are named with the reason", async () => {
  const [file, folder] = [join(makeFolder(), "data"), makeFolder()];
  writeFileSync(file, "", { mode: 0o644 });
  const given = [
    [file, "is not executable"],
    [folder, "is a folder, and no program"],
  ] as const;
  for (const [program, reason] of given) {
    const pipeline = shellPipeline({ task: { run: "true" } }, { command: [program] });
    const result = await runPipeline(pipeline, { pipelineRoot: makeFolder() });
    expect(result.error?.message).toBe(`the program ${JSON.stringify(program)} cannot be run: it ${reason}`);
  }
});
