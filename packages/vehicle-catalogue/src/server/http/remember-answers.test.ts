import { expect, test } from "vitest";
import { rememberAnswers } from "./remember-answers.js";

/** What is asked of the function itself. */
function counted() {
  const asked: string[] = [];
  const answer = rememberAnswers((text) => {
    asked.push(text);
    return { text };
  });
  return { asked, answer };
}

test("what was asked once is answered alike, and is not worked out again", () => {
  const { asked, answer } = counted();
  const first = answer("a");
  expect(answer("b")).toEqual({ text: "b" });
  expect([answer("a"), first]).toEqual([{ text: "a" }, { text: "a" }]);
  expect(answer("a")).toBe(first);
  expect(asked).toEqual(["a", "b"]);
});

test("questions of up to 200 characters are remembered, longer ones are answered anew", () => {
  const { asked, answer } = counted();
  const [long, longer] = ["x".repeat(200), "x".repeat(201)];
  for (const text of [long, long, longer, longer]) expect(answer(text)).toEqual({ text });
  expect(asked).toEqual([long, longer, longer]);
});

test("the first 200 questions are remembered, and no others, however many come", () => {
  const { asked, answer } = counted();
  const texts = Array.from({ length: 202 }, (_, at) => `${at}`);
  for (const text of [...texts, ...texts]) expect(answer(text)).toEqual({ text });
  expect(asked).toEqual([...texts, "200", "201"]);
});
