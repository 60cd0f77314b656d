/** A TypeScript example of a Markdown file, ready to be compiled as a module of its own. */
export interface CodeBlock {
  /** The line of the opening fence, from 1. */
  readonly line: number;
  readonly code: string;
  /** Marked with `<!-- run -->`: it is also executed, and must end by itself with status 0. */
  readonly runs: boolean;
  /** Marked with `<!-- serves PATH … -->`: a server that answers these paths with 200, and ends with status 0 at SIGTERM. */
  readonly serves?: readonly string[];
}

const fence = /^```(ts|typescript)\s*$/;
const mark = /^<!-- (run|continues|run continues|serves (\/.*)) -->$/;

/**
 * The TypeScript blocks of a Markdown text. The line before a block may hold a mark: `<!-- run -->`, or
 * `<!-- continues -->` for a block that goes on where the one before it ended, or `<!-- serves /status -->`.
 */
export function codeBlocks(markdown: string): CodeBlock[] {
  const lines = markdown.split("\n");
  const blocks: CodeBlock[] = [];
  for (let i = 0; i < lines.length; i++) {
    if (!fence.test(lines[i] ?? "")) continue;
    const end = lines.indexOf("```", i);
    if (end < 0) throw new Error(`line ${i + 1}: this block is never closed`);
    const [, marks = "", serves] = mark.exec(lines[i - 1] ?? "") ?? [];
    const before = blocks.at(-1);
    if (marks.includes("continues") && !before)
      throw new Error(`line ${i + 1}: there is no block to continue`);
    const code = `${lines.slice(i + 1, end).join("\n")}\n`;
    blocks.push({
      line: i + 1,
      code: marks.includes("continues") ? `${before?.code}${code}` : code,
      runs: marks.includes("run"),
      ...(serves !== undefined && { serves: serves.split(" ") }),
    });
    i = end;
  }
  return blocks;
}
