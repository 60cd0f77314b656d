import { expect, test } from "vitest";
import { searchAliases } from "./search-aliases.js";

test("short names are compared as the search folds texts, and so are the brands that they stand for", () => {
  const aliases = searchAliases({ "Vee-Dub": "Volks-Wagen", "É. 1": "Łódź Motors+", VW: "Other Brand" });
  expect(aliases.get("veedub")).toBe("volks wagen");
  expect(aliases.get("e1")).toBe("łodz motors+");
  expect(aliases.get("vw")).toBe("other brand");
  expect(aliases.get("bimmer")).toBe("bmw");
  expect(searchAliases().get("vw")).toBe("volkswagen");
});

test.each<[given: unknown, message: string]>([
  ["vw", 'The short names of brands must be an object; got "vw".'],
  [{ vw: 5 }, "The short name vw must be a text; got 5."],
])("of %j it says what is wrong", (given, message) => {
  expect(() => searchAliases(given as never)).toThrow(new TypeError(message));
});
