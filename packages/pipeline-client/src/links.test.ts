import { describe, expect, test } from "vitest";
import { createLinks } from "./links.js";
import { shown } from "./shown.js";

describe.each(["https://kf.example/pipeline", "https://h/pipeline"])("at %s", (host) => {
  const links = createLinks(host);

  test.each([
    [links.run("r/1"), "runs/details/r%2F1"],
    [links.run("a/b"), "runs/details/a%2Fb"],
    [links.experiment("e 1"), "experiments/details/e%201"],
    [links.experiment("a b"), "experiments/details/a%20b"],
    [links.pipeline("p"), "pipelines/details/p"],
    [links.pipeline("p?"), "pipelines/details/p%3F"],
    [links.pipeline("p", "v?"), "pipelines/details/p/version/v%3F"],
    [links.pipeline("p", "v/1"), "pipelines/details/p/version/v%2F1"],
    [links.recurringRun("rr"), "recurringrun/details/rr"],
    [links.recurringRun("r#1"), "recurringrun/details/r%231"],
  ])("%s is the page %s", (link, page) => expect(link).toBe(`${host}/#/${page}`));
});

test("there are no links to what has no id", () => {
  const links = createLinks("https://h/pipeline");
  for (const id of ["", ".", ".."]) {
    expect(() => links.run(id)).toThrow(new TypeError(`${JSON.stringify(id)} cannot be an id`));
    expect(() => links.pipeline("p", id)).toThrow(TypeError);
  }
});

test.each([
  ["a b", "a b"],
  ["a\n\u001b[31m\u202eb", "a [31m b"],
  ["a\u2028\u2029b", "a b"],
  ["a\nb\nc\n", "a b c "],
  ["a\n\t\u0000b\u200bc\u2028d\u2029e", "a b c d e"],
  ["x".repeat(500), "x".repeat(500)],
  ["x".repeat(501), "x".repeat(500)],
])("%j is shown as %j", (text, line) => expect(shown(text)).toBe(line));
