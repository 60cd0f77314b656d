import { formatProblems, validatePipeline } from "@wye/pipeline-validator";
import { expect, test } from "vitest";
import { shellPipeline } from "../../test/run-program.js";
import type { Host, Output } from "../host.js";
import { version } from "../version.js";
import { type CheckFormat, checkPrinter } from "./check-printer.js";

const good = shellPipeline("true");
const bad = good.replace('"name":"shell"', '"nmae":"shell"');

/** What is printed of these files, and of those that could not be read. */
function printed(
  format: CheckFormat,
  files: Readonly<Record<string, string>>,
  {
    unread = [],
    out = {},
    err = {},
  }: {
    readonly unread?: readonly string[];
    readonly out?: Partial<Output>;
    readonly err?: Partial<Output>;
  } = {},
): string {
  let text = "";
  const host = {
    cwd: "/nowhere",
    env: {},
    out: { ...out, write: (part: string) => (text += part) },
    err: { ...err, write: () => expect.unreachable("nothing is an error here") },
  };
  const printer = checkPrinter(format, host as unknown as Host);
  for (const [name, source] of Object.entries(files))
    printer.print({ name, source, report: validatePipeline(source) });
  printer.end(unread);
  return text;
}

const problems = (source: string, more: object = {}) =>
  formatProblems(validatePipeline(source), { source, file: "f", color: false, width: 100, ...more });

test("problems say where they are, and a file without any is named before its sum", () => {
  expect(printed("text", { f: bad })).toBe(problems(bad));
  expect(validatePipeline(good)).toMatchObject({ ok: true, problems: [{ severity: "warning" }] });
  expect(printed("text", { f: good })).toBe(problems(good));
  const clean = shellPipeline(`printf "$2 $3" > "$1"`);
  expect(printed("text", { "f\u001b": clean })).toBe(`f\\x1b: ${problems(clean)}`);
});

test("text is as wide and as coloured as where it is printed", () => {
  expect(printed("text", { f: bad }, { out: { isTTY: true, columns: 40 } })).toBe(
    problems(bad, { color: true, width: 40 }),
  );
  expect(printed("text", { f: bad }, { err: { isTTY: true, columns: 40 } })).toBe(problems(bad));
});

test("JSON is one document, which is good only when all was read and is good", () => {
  const read = (files: Readonly<Record<string, string>>, unread: readonly string[] = []) => {
    const { version, ok, files: reports, ...others } = JSON.parse(printed("json", files, { unread }));
    expect(version).toBe(1);
    return [ok, reports.map(({ file }: { readonly file: string }) => file), others];
  };
  expect(read({ a: good, b: good })).toEqual([true, ["a", "b"], {}]);
  expect(read({ a: good, b: bad })).toEqual([false, ["a", "b"], {}]);
  expect(read({ a: good }, ["b is gone"])).toEqual([false, ["a"], { unread: ["b is gone"] }]);
});

test("SARIF is one run of this version, which says what could not be read", () => {
  const read = (unread: readonly string[]) => {
    const { runs } = JSON.parse(printed("sarif", { a: bad, b: bad }, { unread }));
    expect(runs).toHaveLength(1);
    expect(runs[0].tool.driver.version).toBe(version());
    return [runs[0].results.length, runs[0].invocations];
  };
  const [count, invocations] = read([]);
  expect([count > 1, invocations]).toEqual([true, undefined]);
  const toolExecutionNotifications = [{ level: "error", message: { text: "c is gone" } }];
  expect(read(["c is gone"])).toEqual([count, [{ executionSuccessful: false, toolExecutionNotifications }]]);
});

test("annotations of GitHub name the file", () => {
  expect(printed("github", { f: bad })).toMatch(/^::error .*file=f,/m);
});
