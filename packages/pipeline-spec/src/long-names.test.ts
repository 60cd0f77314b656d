import { expect, test } from "vitest";
import { parsePipeline, printPipeline } from "./index.js";

const named = (name: string) =>
  `components:\n  ? ${name}\n  : {dag: {tasks: {t: {nonsense: 1}}}}\nroot: {dag: {}}\npipelineInfo: {name: a}\n`;

test("a name may have 1,024 characters, and of a longer one all that is told is that it is too long", () => {
  const problems = (text: string) => parsePipeline(text).problems.map(({ code }) => code);
  expect(problems(named("k".repeat(1024)))).toEqual(["unknown-field"]);
  const { problems: found } = parsePipeline(named("k".repeat(1025)));
  expect(found).toMatchObject([
    { code: "too-large", path: `/components/${"k".repeat(1025)}`, range: { start: { line: 2, column: 5 } } },
  ]);
  expect(found[0]?.message).toContain("1025 characters");
  const json = JSON.stringify({
    root: { dag: { tasks: { ["k".repeat(1025)]: {} } } },
    pipelineInfo: { name: "a" },
  });
  expect(problems(json)).toEqual(["too-large"]);
});

test("the keys of a value may be of any length, and are printed and read again", () => {
  const key = "k".repeat(100_000);
  const parameters = { p: { parameterType: "STRUCT", defaultValue: { [key]: [1, "x"] } } };
  const text = JSON.stringify({
    pipelineInfo: { name: "a" },
    root: { dag: {}, inputDefinitions: { parameters } },
  });
  const parsed = parsePipeline(text);
  if (!parsed.ok) expect.unreachable("nothing is wrong with it");
  const again = parsePipeline(printPipeline(parsed.pipeline));
  expect(again).toMatchObject({ ok: true, pipeline: { spec: parsed.pipeline.spec } });
});

test("a thousand problems under one long key do not have the key a thousand times", () => {
  const key = "k".repeat(1_000_000);
  const items = Array.from({ length: 1000 }, () => ".nan").join(", ");
  const value = `{parameterType: STRUCT, defaultValue: {a: {? ${key} : [${items}]}}}`;
  const text = `pipelineInfo: {name: a}\nroot: {dag: {}, inputDefinitions: {parameters: {p: ${value}}}}\n`;
  const { ok, problems } = parsePipeline(text);
  expect(ok).toBe(false);
  const shown = problems.reduce((sum, { path, message }) => sum + path.length + message.length, 0);
  expect(shown).toBeLessThan(1_000_000);
  expect(problems[0]).toMatchObject({
    code: "out-of-range",
    path: "/root/inputDefinitions/parameters/p/defaultValue/a",
  });
});
