import { describe, expect, test } from "vitest";
import { validatePipeline } from "../src/index.js";

const directive = "# wye-disable-next-line component-unknown";
/** A pipeline with an error in its last line, and these lines before it. */
const withLines = (...lines: readonly string[]): string => `pipelineInfo: {name: hello}
schemaVersion: 2.1.0
components: {comp-greet: {executorLabel: exec-greet}}
deploymentSpec:
  executors:
    exec-greet:
      container:
        image: busybox
        command:
        - sh
${lines.join("\n")}
root: {dag: {tasks: {greet: {taskInfo: {name: greet}, componentRef: {name: comp-nope}}}}}
`;
const codes = (text: string) =>
  validatePipeline(text, { rules: { "component-unused": "off" } }).problems.map(({ code }) => code);

describe("a comment disables a rule for the next line", () => {
  for (const lines of [
    [directive],
    ["", `  ${directive}`],
    [directive, "# another", ""],
    [`#${directive.slice(2)}`],
  ]) {
    test(JSON.stringify(lines), () => expect(codes(withLines(...lines))).toEqual([]));
  }
});

describe("what only looks like a comment disables nothing, and is not complained about", () => {
  const rows: Readonly<Record<string, readonly string[]>> = {
    "a line of a script": ["        - |", `          ${directive}`],
    "a line of a folded text": ["        - >-", "          cat", `          ${directive}`],
    "a line in single quotes": ["        - 'cat", `          ${directive}'`],
    "a line in double quotes": ['        - "cat', `          ${directive}"`],
    "a comment behind a value": [`        - date ${directive}`],
  };
  for (const [name, lines] of Object.entries(rows)) {
    test(name, () => expect(codes(withLines(...lines))).toEqual(["component-unknown"]));
  }
});
