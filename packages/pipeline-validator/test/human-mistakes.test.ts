import { expect, test } from "vitest";
import { validatePipeline } from "../src/index.js";
import { humanMistakes, outcomeOf, pipeline } from "./human-mistakes.js";

/** What is not found, and why. */
const known: Readonly<Record<string, string>> = {
  "w | output-unwritten |  {{$.outputs.parameters['downloaded'].output_file}}":
    "a program that is told of none of its outputs may know where to write them",
};

test("nothing is wrong with the file that mistakes are made in", () => {
  expect(validatePipeline(pipeline).problems).toEqual([]);
});

test("mistakes that people make are found, on their line, as what the back ends make of them", {
  timeout: 120_000,
}, () => {
  expect(humanMistakes.length).toBeGreaterThanOrEqual(580);
  const outcomes = humanMistakes.map((mistake) => ({ mistake, outcome: outcomeOf(mistake) }));
  const unexpected = outcomes.filter(({ outcome }) => outcome !== "found");
  const names = unexpected.map(({ mistake, outcome }) => `${outcome}: ${mistake.name}`);
  expect(names).toEqual(Object.keys(known).map((name) => expect.stringContaining(`missed: ${name}`)));
});
