import { expect, test } from "vitest";
import { isSealed, LineSeal } from "./line-seal.js";

const lines = [`{"a":1}`, `{"b":{"sum":"00000000"}}`, `{"a":1}`, `{"text":"äöü"}`];
const sealed = (() => {
  const seal = new LineSeal();
  return lines.map((line) => seal.seal(line));
})();

/** What is read of lines. */
function opened(of: readonly string[]) {
  const seal = new LineSeal();
  return of.map((line) => seal.open(line));
}

test("lines that are as they were written are read as what they were, and are JSON with their sums", () => {
  expect(opened(sealed)).toEqual(lines);
  expect(sealed.map((line) => JSON.parse(line))).toEqual(
    lines.map((line) => ({ ...JSON.parse(line), sum: expect.stringMatching(/^[\da-f]{8}$/) })),
  );
  expect([sealed.every(isSealed), lines.some(isSealed)]).toEqual([true, false]);
});

const [first = "", second = "", third = "", fourth = ""] = sealed;
test.each([
  ["lost", [first, third, fourth], 1],
  ["doubled", [first, first, second, third, fourth], 1],
  ["exchanged with another", [first, third, second, fourth], 1],
  ["without its sum", [first, lines[1] ?? "", third, fourth], 1],
])("a line that is %s shows", (_, changed, at) => {
  expect(opened(changed)[at]).toBeUndefined();
});

test("a character that is another one shows, wherever it is", () => {
  for (let at = 0; at < second.length; at++) {
    const changed = `${second.slice(0, at)}~${second.slice(at + 1)}`;
    expect([at, opened([first, changed])[1]]).toEqual([at, undefined]);
  }
});
