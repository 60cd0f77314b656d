import { expect, test } from "vitest";
import { expandVariables, parseVariables } from "./expand-variables.js";

const variables = new Map([
  ["A", "one"],
  ["EMPTY", ""],
  ["B", "$(A)"],
]);

test.each([
  ["$(A)", "one"],
  ["a $(A), $(A)!", "a one, one!"],
  ["[$(EMPTY)]", "[]"],
  ["$(B)", "$(A)"],
  ["$(C) $(A)", "$(C) one"],
  ["$$(A)", "$(A)"],
  ["$$$(A)", "$one"],
  ["$A $(A", "$A $(A"],
  ["$(A) $(", "one $("],
  [") $(A)", ") one"],
  ["$()", "$()"],
  ["$(C) $$", "$(C) $"],
])("%s becomes %s", (text, expanded) => {
  expect(expandVariables(parseVariables(text), variables)).toBe(expanded);
});
