import { parsePipeline } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import {
  type ExampleForm,
  examplePipeline,
  type Profile,
  ruleCatalogue,
  type ValidateOptions,
  type ValidationProblem,
  validatePipeline,
  validateRuntimeConfig,
} from "../src/index.js";
import { exampleText } from "./example-text.js";

const parsed = parsePipeline(examplePipeline);
if (!parsed.ok) throw new Error("the example pipeline cannot be parsed");
const { pipeline } = parsed;

function problems(form: ExampleForm, example: string, profile: Profile, options: ValidateOptions) {
  return form === "runtime-config"
    ? validateRuntimeConfig(pipeline, parse(example), { profile }).problems
    : validatePipeline(exampleText(form, example), { profile, ...options }).problems;
}

/** With a rule of style, and without the others. */
function withStyle(id: string): ValidateOptions {
  const all = ruleCatalogue().flatMap((group) => group.rules);
  const others = all.filter(({ id: other, severity }) => severity.kfp === "style" && other !== id);
  return { style: true, rules: Object.fromEntries(others.map((other) => [other.id, "off"])) };
}

const withExamples = ruleCatalogue().filter(({ rules }) =>
  rules.some(({ examples }) => examples !== undefined),
);

test("the example pipeline has no problems", () => {
  expect(validatePipeline(examplePipeline).problems).toEqual([]);
});

test("ids are unique and in kebab case", () => {
  const ids = ruleCatalogue().flatMap(({ rules }) => rules.map(({ id }) => id));
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id))).toEqual([]);
});

test("every rule but those of the reader has examples, a summary and a reason", () => {
  const rules = withExamples.flatMap((group) => group.rules);
  const poor = rules.filter(
    ({ examples, summary, reason }) => !examples || !summary.endsWith(".") || !reason.endsWith("."),
  );
  expect(poor.map(({ id }) => id)).toEqual([]);
  expect(rules.length).toBeGreaterThan(130);
});

for (const { title, exampleForm, rules } of withExamples) {
  describe(title, () => {
    for (const { id, severity, examples } of rules) {
      const { wrong = "", right = "", besides = [] } = examples ?? {};
      const profile = severity.kfp === "off" ? "spec" : "kfp";
      const isStyle = severity[profile] === "style";
      const options = isStyle ? withStyle(id) : {};
      const level = isStyle ? "info" : severity[profile];
      test(`${id}: the wrong example breaks exactly this rule`, () => {
        const found = problems(exampleForm, wrong, profile, options);
        const others = found.filter(({ code }) => !besides.includes(code));
        expect(new Set(others.map(({ code }) => code))).toEqual(new Set([id]));
        expect(new Set(others.map((problem) => problem.severity))).toEqual(new Set([level]));
      });
      test(`${id}: the right example breaks none`, () => {
        expect(problems(exampleForm, right, profile, options)).toEqual([]);
      });
    }
  });
}

/** The beginning of what stands at a place, as the report marks it. */
function marked(text: string, range: ValidationProblem["range"]): string {
  if (range === undefined) return "";
  const [line = ""] = text.slice(range.start.offset, range.end.offset).split("\n");
  return ` [${line.length > 60 ? `${line.slice(0, 60)}…` : line}]`;
}

test("what is found in the wrong examples, where, and what to do about it", async () => {
  const lines = withExamples.flatMap(({ exampleForm, rules }) =>
    rules.flatMap(({ id, severity, examples }) => {
      const profile = severity.kfp === "off" ? "spec" : "kfp";
      const options = severity[profile] === "style" ? withStyle(id) : {};
      const wrong = examples?.wrong ?? "";
      const text = exampleText(exampleForm, wrong);
      return problems(exampleForm, wrong, profile, options).flatMap(
        ({ code, path, range, message, hint, related = [] }) => [
          `${code} at ${path || "the file"}${marked(text, range)}: ${message}`,
          ...(hint === undefined ? [] : [`  hint: ${hint}`]),
          ...related.map((one) => `  see ${one.path}${marked(text, one.range)}: ${one.message}`),
        ],
      );
    }),
  );
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("../testdata/found-in-examples.txt");
});
