import { expect, test } from "vitest";
import { pipelineOf, to } from "../../test/small-pipelines.js";
import { ProblemBook } from "./problem-book.js";

/** A problem as it is listed. */
function listed(path: string, backEnd?: string) {
  const book = new ProblemBook(pipelineOf({ tasks: { a: to("leaf") } }), 10);
  book.add({ code: "no-tasks", path, message: "m", ...(backEnd !== undefined && { backEnd }) });
  return book.listed()[0];
}

const a = (count: number) => "a".repeat(count);

test.each([
  [`/${a(199)}`, `/${a(199)}`],
  [`/${a(200)}`, `/${a(200)}`],
  [`/${a(201)}`, `/${a(199)}…`],
  [`/b/${a(201)}/c/${a(202)}`, `/b/${a(199)}…/c/${a(199)}…`],
  [`/${a(198)}😀b`, `/${a(198)}…`],
  [`/${a(197)}😀bc`, `/${a(197)}😀…`],
])("in a pointer of more than 200 characters names of more than 200 are cut: %s", (path, told) => {
  expect(listed(path)?.path).toBe(told);
});

test.each([
  [a(1000), a(1000)],
  [a(1001), `${a(999)}…`],
  [`${a(998)}😀b`, `${a(998)}…`],
  [undefined, undefined],
])("what the back end says is cut behind 1000 characters: %s", (backEnd, told) => {
  expect(listed("/root", backEnd)?.backEnd).toBe(told);
});
