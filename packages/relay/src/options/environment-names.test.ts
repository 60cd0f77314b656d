import { expect, test } from "vitest";
import { sharedKeys, unusableNames, variantNames } from "./environment-names.js";
import { newEnvironment } from "./read-environment.js";

const withFilters = (...filters: readonly string[]) => ({ ...newEnvironment, filters });

test("an environment has its own name, and one for each filter behind it", () => {
  expect(variantNames("a", withFilters("x", "y/z"))).toEqual(["a", "a/x", "a/y/z"]);
});

test("names that people cannot read, or that are there again, are told, each with who had it before", () => {
  const says = 'a filter or name that makes "a/b/c" twice; each may be there once';
  expect(
    unusableNames([
      ["a", withFilters("b/c", "d", "d")],
      ["a/b", withFilters("c")],
      ["a/b/c", withFilters()],
      ["", withFilters()],
      ["\ud800", withFilters()],
    ]),
  ).toEqual([
    'the name of an environment must be text that is not empty, not ""',
    'the name of an environment must be text that is not empty, not "\\ud800"',
    'environment "a" has a filter or name that makes "a/d" twice; each may be there once',
    `environments "a" and "a/b" both have ${says}`,
    `environments "a/b" and "a/b/c" both have ${says}`,
  ]);
});

test("keys that lead to two environments now are told with the one that had them first", () => {
  const withKeys = (sdkKey: string, more: object = {}) => ({
    ...newEnvironment,
    keys: { sdkKey, further: [], ...more },
  });
  const further = (value: string, expires: number) => ({
    further: [{ kind: "sdkKey", value, expires }] as const,
  });
  expect(
    sharedKeys(
      [
        ["a", withKeys("x", { mobileKey: "y", ...further("over", 100) })],
        ["b", withKeys("x", further("later", 101))],
        ["c", withKeys("x", { mobileKey: "x", envId: "y" })],
        ["d", withKeys("over", { mobileKey: "y" })],
        ["e", withKeys("later")],
        ["f", withKeys("")],
        ["g", withKeys("")],
      ],
      100,
    ),
  ).toEqual([
    'environments "a" and "b" have the same sdkKey',
    'environments "a" and "c" have the same sdkKey',
    'environments "a" and "d" have the same mobileKey',
    'environments "b" and "e" have the same sdkKey',
  ]);
});
