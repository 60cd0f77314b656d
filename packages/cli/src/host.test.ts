import { expect, test } from "vitest";
import { isColored } from "./host.js";

test.each<[string, Record<string, string>, boolean | undefined, boolean]>([
  ["a terminal", {}, true, true],
  ["a file", {}, false, false],
  ["what does not say", {}, undefined, false],
  ["a terminal with NO_COLOR", { NO_COLOR: "1" }, true, false],
  ["a terminal with an empty NO_COLOR", { NO_COLOR: "" }, true, true],
  ["a dumb terminal", { TERM: "dumb" }, true, false],
  ["a file with FORCE_COLOR", { FORCE_COLOR: "1" }, false, true],
  ["a file with FORCE_COLOR=0", { FORCE_COLOR: "0" }, false, false],
  ["a terminal with FORCE_COLOR=0", { FORCE_COLOR: "0" }, true, false],
  ["a terminal with FORCE_COLOR=false", { FORCE_COLOR: "false" }, true, false],
])("colours on %s", (_, env, isTTY, expected) => {
  expect(isColored({ env }, { write: () => undefined, ...(isTTY === undefined ? {} : { isTTY }) })).toBe(
    expected,
  );
});
