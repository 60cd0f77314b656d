import { expect, test } from "vitest";
import { Composer } from "yaml";
import { commentTooNear, TooManyMistakes, YamlMistakes } from "./yaml-mistakes.js";

const token = (source: string, message = "what") => ({ type: "error", offset: 3, source, message }) as const;

test("a part that cannot be read is told with its text, when it has some", () => {
  const mistakes = new YamlMistakes();
  mistakes.addToken(token("[b]"));
  mistakes.addToken(token(""));
  expect(mistakes.list).toEqual([
    { code: "UNEXPECTED_TOKEN", message: 'what: "[b]"', pos: [3, 6] },
    { code: "UNEXPECTED_TOKEN", message: "what", pos: [3, 3] },
  ]);
});

test("a thousand mistakes are looked at, and then no others", () => {
  const mistakes = new YamlMistakes();
  for (let count = 1; count < 1000; count++) mistakes.addToken(token("a"));
  expect(() => mistakes.addToken(token("a"))).toThrow(TooManyMistakes);
  expect(mistakes.list).toHaveLength(1000);
});

test("comments that are too near to what is before them are not among the thousand", () => {
  const mistakes = new YamlMistakes();
  for (let count = 0; count < 2000; count++)
    mistakes.addToken(token("", `${commentTooNear} from other tokens`));
  mistakes.addToken(token("a"));
  expect(mistakes.list).toHaveLength(2001);
});

test("what a composer finds has its place, and its warnings are none", () => {
  const mistakes = new YamlMistakes();
  const composer = new Composer();
  mistakes.takeFrom(composer);
  const find: unknown = Reflect.get(composer, "onError");
  if (typeof find !== "function") expect.unreachable("a composer tells of its mistakes");
  for (const source of [4, [4, 6], [4], { offset: 4, source: "abc" }, { offset: 4 }])
    find(source, "CODE", "what");
  find(4, "CODE", "a warning", true);
  find(9, "CODE", "no warning", false);
  expect(mistakes.list.map(({ message, pos }) => [message, ...pos])).toEqual([
    ["what", 4, 5],
    ["what", 4, 6],
    ["what", 4, 5],
    ["what", 4, 7],
    ["what", 4, 5],
    ["no warning", 9, 10],
  ]);
});
