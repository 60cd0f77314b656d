import { expect, test } from "vitest";
import { validatePipeline } from "../src/index.js";
import { humanMistakes, outcomeOf, pipeline } from "./human-mistakes.js";

/** Rules that are still to be written, and mistakes whose place is not the one that people look at. */
const notFound: Readonly<Record<string, string>> = {
  "oneof-not-exclusive": "no rule compares the conditions of the branches of a one-of",
  "consumer-of-conditional": "no rule follows what a skipped task leaves undone",
  "branches-both": "no rule compares the conditions of the tasks that a task depends on",
  "volume-deleted-early": "no rule follows volumes from their making to their end",
  "platform-reference-order": "no rule asks for dependencies on what platform settings take",
  "yaml-syntax":
    "a bracket or quote that is not closed is noticed where the YAML no longer fits, some lines further on",
};

test("nothing is wrong with the file that mistakes are made in", () => {
  expect(validatePipeline(pipeline).problems).toEqual([]);
});

test("mistakes that people make are found, on their line", { timeout: 120_000 }, () => {
  expect(humanMistakes.length).toBeGreaterThanOrEqual(400);
  const outcomes = humanMistakes.map((mistake) => ({ mistake, outcome: outcomeOf(mistake) }));
  const share = (some: typeof outcomes): number =>
    some.filter(({ outcome }) => outcome === "found").length / some.length;
  const unexpected = outcomes.filter(
    ({ mistake, outcome }) =>
      outcome !== "found" && !mistake.rules.some((rule) => Object.hasOwn(notFound, rule)),
  );
  expect(unexpected.map(({ mistake, outcome }) => `${outcome}: ${mistake.name}`)).toEqual([]);
  expect(share(outcomes)).toBeGreaterThanOrEqual(0.9);
  expect(share(outcomes.filter(({ mistake }) => mistake.isRefused))).toBeGreaterThanOrEqual(0.97);
});
