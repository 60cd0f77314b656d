import { join } from "node:path";
import { expect, test } from "vitest";
import { compileExamples } from "./example-programs.js";
import { run } from "./run.js";
import { serve } from "./serve.js";
import { root } from "./workspace.js";

const folder = join(root, "house", ".readmes");
const examples = compileExamples(folder);

test("there are examples to check", () => expect(examples.length).toBeGreaterThan(0));

for (const { title, file, faults, runs } of examples) {
  test(`${title} compiles against the built packages`, () => expect(faults()).toEqual([]));

  if (runs) {
    test(`${title} runs`, async () => {
      const { status, stderr } = await run(process.execPath, [file], { cwd: folder });
      expect(status, stderr).toBe(0);
    });
  }
}

// Side by side, with no other test between them: each waits some seconds for strangers that say nothing.
for (const { title, file, serves } of examples) {
  if (serves === undefined) continue;
  test.concurrent(`${title} serves ${serves.join(", ")} until it is told to end`, async ({ expect }) => {
    expect(await serve(file, serves)).toMatchObject({ answered: serves.map(() => 200), status: 0 });
  });
}
