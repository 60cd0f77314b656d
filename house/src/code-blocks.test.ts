import { expect, test } from "vitest";
import { codeBlocks } from "./code-blocks.js";

test("finds TypeScript blocks only, with their lines and marks", () => {
  const markdown = [
    "# A",
    "```sh",
    "ls",
    "```",
    "<!-- run -->",
    "```ts",
    "let a = 1;",
    "```",
    "```typescript",
    "b",
    "```",
  ];
  expect(codeBlocks(markdown.join("\n"))).toEqual([
    { line: 6, code: "let a = 1;\n", runs: true },
    { line: 9, code: "b\n", runs: false },
  ]);
});

test("a server is marked with the path that it answers", () => {
  expect(codeBlocks("<!-- serves /status /hello -->\n```ts\nlisten()\n```")).toEqual([
    { line: 2, code: "listen()\n", runs: false, serves: ["/status", "/hello"] },
  ]);
});

test("a block that continues has the one before it in front", () => {
  const markdown = "```ts\nlet a = 1;\n```\n<!-- run continues -->\n```ts\na + 1;\n```\n";
  expect(codeBlocks(markdown)[1]).toEqual({ line: 5, code: "let a = 1;\na + 1;\n", runs: true });
});

test("refuses a block without an end, and one that continues nothing", () => {
  expect(() => codeBlocks("```ts\nlet a")).toThrow("line 1: this block is never closed");
  expect(() => codeBlocks("<!-- continues -->\n```ts\na\n```")).toThrow(
    "line 2: there is no block to continue",
  );
});
