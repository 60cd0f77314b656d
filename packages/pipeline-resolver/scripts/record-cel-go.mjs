// Asks cel-go about the expressions of `test/cel-go/conditions.ts` and writes its answers to testdata. Needs Go:
//   node scripts/record-cel-go.mjs <file descriptor set of pipeline_spec.proto>
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = fileURLToPath(new URL("../test/cel-go/", import.meta.url));
const descriptors = resolve(process.argv[2] ?? "");
const folder = mkdtempSync(join(tmpdir(), "wye-cel-go-"));
try {
  const outfile = join(folder, "conditions.mjs");
  await build({
    entryPoints: [join(here, "conditions.ts")],
    bundle: true,
    format: "esm",
    outfile,
    logLevel: "error",
  });
  const { conditionInput, conditions } = await import(outfile);
  const ask = (input, texts) =>
    execFileSync("go", ["run", ".", descriptors], {
      cwd: here,
      input: [input, ...texts].map((one) => JSON.stringify(one)).join("\n"),
      maxBuffer: 2 ** 26,
      encoding: "utf8",
    });
  const answers = Object.entries(conditions).map(([name, texts]) => [name, ask(conditionInput, texts)]);
  const file = fileURLToPath(new URL("../testdata/cel-go-answers.json", import.meta.url));
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(answers), null, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
