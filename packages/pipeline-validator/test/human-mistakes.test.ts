import { expect, test } from "vitest";
import { validatePipeline } from "../src/index.js";
import { humanMistakes, outcomeOf, pipeline } from "./human-mistakes.js";

test("nothing is wrong with the file that mistakes are made in", () => {
  expect(validatePipeline(pipeline).problems).toEqual([]);
});

test("mistakes that people make are found, on their line, as what the back ends make of them", {
  timeout: 120_000,
}, () => {
  expect(humanMistakes.length).toBeGreaterThanOrEqual(580);
  const outcomes = humanMistakes.map((mistake) => ({ mistake, outcome: outcomeOf(mistake) }));
  const unexpected = outcomes.filter(({ outcome }) => outcome !== "found");
  expect(unexpected.map(({ mistake, outcome }) => `${outcome}: ${mistake.name}`)).toEqual([]);
});
