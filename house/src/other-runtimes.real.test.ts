import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { compileExamples } from "./example-programs.js";
import { run } from "./run.js";
import { root } from "./workspace.js";

// Every example that runs to its end in Node does so in the other runtimes. Where they are is told by the environment; why one
// is left out, too.

const folder = join(root, "house", ".other-runtimes");
const examples = compileExamples(folder).filter(({ runs }) => runs);

const runtimes = [
  { name: "Bun", program: process.env.WYE_BUN, without: process.env.WYE_WITHOUT_BUN, args: ["run"] },
  {
    name: "Deno",
    program: process.env.WYE_DENO,
    without: process.env.WYE_WITHOUT_DENO,
    args: ["run", "--allow-all"],
  },
];

for (const { name, program = "", without, args } of runtimes) {
  describe.skipIf(without)(without ? `${name} (left out: ${without})` : name, () => {
    for (const { title, file } of examples) {
      test(`runs ${title}`, async () => {
        expect(program, `WYE_${name.toUpperCase()} has the path of the program`).not.toBe("");
        const { status, stderr } = await run(program, [...args, file], { cwd: folder });
        expect(status, stderr).toBe(0);
      });
    }
  });
}
