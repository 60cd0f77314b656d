import { expect, test } from "vitest";
import { suggestFix, type ValidationProblem, validatePipeline } from "../src/index.js";
import { type HumanMistake, humanMistakes, outcomeOf, pipeline, problemsOf } from "./human-mistakes.js";

interface Looked {
  readonly mistake: HumanMistake;
  readonly problems: readonly ValidationProblem[];
}

/** One mistake of so many is looked at. */
const oneOf = process.env.WYE_ALL_ROUNDS ? 1 : 10;

let known: readonly Looked[] | undefined;

/** What is found in each, once for all tests. */
function looked(): readonly Looked[] {
  known ??= humanMistakes
    .filter((_, place) => place % oneOf === 0)
    .map((mistake) => ({ mistake, problems: problemsOf(mistake) }));
  return known;
}

test("nothing is wrong with the file that mistakes are made in", () => {
  expect(validatePipeline(pipeline).problems).toEqual([]);
});

test("mistakes that people make are found, on their line, as what the back ends make of them", {
  timeout: 600_000,
}, () => {
  expect(humanMistakes.length).toBeGreaterThanOrEqual(588);
  const outcomes = looked().map(({ mistake, problems }) => ({
    mistake,
    outcome: outcomeOf(mistake, problems),
  }));
  const unexpected = outcomes.filter(({ outcome }) => outcome !== "found");
  expect(unexpected.map(({ mistake, outcome }) => `${outcome}: ${mistake.name}`)).toEqual([]);
});

test("what is suggested in place of a name ends the problem", { timeout: 600_000 }, () => {
  const titleOf = ({ code, message, path }: ValidationProblem) => `${code} ${path} ${message}`;
  const hinted = looked().flatMap(({ mistake, problems }) =>
    problems
      .filter(({ hint }) => hint?.startsWith("did you mean"))
      .map((problem) => ({ mistake, problem, title: titleOf(problem) })),
  );
  expect(hinted.length).toBeGreaterThan(100 / oneOf);
  const remaining = hinted.filter(({ mistake: { text, kind }, problem, title }) => {
    const fix = suggestFix(text, problem);
    if (fix === undefined) return true;
    const mended = text.slice(0, fix.from) + fix.text + text.slice(fix.to);
    return problemsOf({ text: mended, kind }).some((other) => titleOf(other) === title);
  });
  expect(remaining.map(({ mistake, title }) => `${title}: ${mistake.name}`)).toEqual([]);
});
