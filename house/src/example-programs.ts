import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";
import { type CodeBlock, codeBlocks } from "./code-blocks.js";
import { packages, root } from "./workspace.js";

/** An example of a README or of the documentation, compiled to a program. */
export interface ExampleProgram extends CodeBlock {
  /** Document and line. */
  readonly title: string;
  /** The compiled module. */
  readonly file: string;
  /** What the compiler says against it, a line each. */
  readonly faults: () => readonly string[];
}

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  types: ["node"],
};

/** Compiles the examples of all documents into a folder, which must be inside the house, so that the names of packages resolve. */
export function compileExamples(folder: string): readonly ExampleProgram[] {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const blocks = documents().flatMap((document) => {
    const name = relative(root, document);
    return codeBlocks(readFileSync(document, "utf8")).map((block) => {
      const stem = `${name.replaceAll(/[^a-z0-9]+/gi, "-")}-${block.line}`;
      const source = join(folder, `${stem}.ts`);
      writeFileSync(source, `${block.code}\nexport {};\n`);
      return { ...block, title: `${name}:${block.line}`, source };
    });
  });
  const program = ts.createProgram(
    blocks.map(({ source }) => source),
    { ...options, outDir: folder },
  );
  program.emit();
  return blocks.map(({ source, ...block }) => ({
    ...block,
    file: source.replace(/\.ts$/, ".js"),
    faults: () => ts.getPreEmitDiagnostics(program, program.getSourceFile(source)).map(describeProblem),
  }));
}

function documents(): readonly string[] {
  return [
    join(root, "README.md"),
    ...packages.map((one) => join(one.folder, "README.md")),
    ...readdirSync(join(root, "examples")).map((name) => join(root, "examples", name, "README.md")),
    ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".md") && !/^(reference|node_modules|\.vitepress)\//.test(path))
      .map((path) => join(root, "docs", path)),
  ].filter(existsSync);
}

function describeProblem({ file, start = 0, messageText }: ts.Diagnostic): string {
  const line = file ? file.getLineAndCharacterOfPosition(start).line + 1 : 0;
  return `line ${line} of the block: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
}
