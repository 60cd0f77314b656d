import { expect, test } from "vitest";
import { createLinks } from "./links.js";
import { shown } from "./shown.js";

test("links lead to the pages of things", () => {
  const links = createLinks("https://kf.example/pipeline");
  expect([
    links.run("r/1"),
    links.experiment("e 1"),
    links.pipeline("p"),
    links.pipeline("p", "v?"),
    links.recurringRun("rr"),
  ]).toEqual([
    "https://kf.example/pipeline/#/runs/details/r%2F1",
    "https://kf.example/pipeline/#/experiments/details/e%201",
    "https://kf.example/pipeline/#/pipelines/details/p",
    "https://kf.example/pipeline/#/pipelines/details/p/version/v%3F",
    "https://kf.example/pipeline/#/recurringrun/details/rr",
  ]);
  for (const id of ["", ".", ".."]) {
    expect(() => links.run(id)).toThrow(new TypeError(`${JSON.stringify(id)} cannot be an id`));
    expect(() => links.pipeline("p", id)).toThrow(TypeError);
  }
});

test.each([
  ["a b", "a b"],
  ["a\n\u001b[31m\u202eb", "a [31m b"],
  ["a\u2028\u2029b", "a b"],
  ["x".repeat(500), "x".repeat(500)],
  ["x".repeat(501), "x".repeat(500)],
])("%j is shown as %j", (text, line) => expect(shown(text)).toBe(line));
