import { expect, test } from "vitest";
import { validateRuntimeConfig } from "../src/index.js";

// Configurations with long names, and with more that is wrong than is told apart.

const spec = { root: undefined } as never;
const long = "n".repeat(500);
const short = `${"n".repeat(199)}…`;

test("long names of a configuration are cut in the places of its problems", () => {
  const { problems } = validateRuntimeConfig({ spec }, { parameterValues: { [long]: 1 } });
  expect(problems.map(({ code, path }) => [code, path])).toEqual([
    ["runtime-parameter-unknown", `/parameterValues/${short}`],
  ]);
});

test("long names of fields that there are not are cut as well", () => {
  const { problems } = validateRuntimeConfig({ spec }, { [long]: 1 });
  expect(problems.map(({ code, path }) => [code, path])).toEqual([["unknown-field", `/${short}`]]);
});

test("problems of form that are not told apart are counted", () => {
  const config = Object.fromEntries(Array.from({ length: 10_500 }, (_, index) => [`field${index}`, 1]));
  const { counts, problems } = validateRuntimeConfig({ spec }, config, { maxProblems: 3 });
  expect(counts.error + counts.warning).toBe(10_500);
  expect(problems.map(({ code }) => code)).toEqual([
    "unknown-field",
    "unknown-field",
    "unknown-field",
    "too-many-problems",
  ]);
});
