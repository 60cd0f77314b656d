import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { codeBlocks } from "./code-blocks.js";
import { run } from "./run.js";
import { serve } from "./serve.js";
import { packages, root } from "./workspace.js";

// Inside the house, so that the names of packages resolve as they do in an application beside them.
const folder = join(root, "house", ".readmes");
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);

const documents = [
  join(root, "README.md"),
  ...packages.map((one) => join(one.folder, "README.md")),
  ...readdirSync(join(root, "examples")).map((name) => join(root, "examples", name, "README.md")),
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md") && !/^(reference|node_modules)\//.test(path))
    .map((path) => join(root, "docs", path)),
].filter(existsSync);

const blocks = documents.flatMap((document) => {
  const name = relative(root, document);
  return codeBlocks(readFileSync(document, "utf8")).map((block) => {
    const stem = `${name.replaceAll(/[^a-z0-9]+/gi, "-")}-${block.line}`;
    const file = join(folder, `${stem}.ts`);
    writeFileSync(file, `${block.code}\nexport {};\n`);
    return { ...block, title: `${name}:${block.line}`, file };
  });
});

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  types: ["node"],
  outDir: folder,
};
const program = ts.createProgram(
  blocks.map(({ file }) => file),
  options,
);
program.emit();

test("there are examples to check", () => expect(blocks.length).toBeGreaterThan(0));

for (const { title, file, runs, serves } of blocks) {
  test(`${title} compiles against the built packages`, () => {
    const source = program.getSourceFile(file);
    expect(ts.getPreEmitDiagnostics(program, source).map((problem) => describeProblem(problem))).toEqual([]);
  });

  if (runs) {
    test(`${title} runs`, async () => {
      const { status, stderr } = await run(process.execPath, [file.replace(/\.ts$/, ".js")], { cwd: folder });
      expect(status, stderr).toBe(0);
    });
  }

  if (serves !== undefined) {
    test(`${title} serves ${serves} until it is told to end`, async () => {
      expect(await serve(file.replace(/\.ts$/, ".js"), serves)).toMatchObject({ answered: 200, status: 0 });
    });
  }
}

function describeProblem({ file, start = 0, messageText }: ts.Diagnostic): string {
  const line = file ? file.getLineAndCharacterOfPosition(start).line + 1 : 0;
  return `line ${line} of the block: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
}
