import fc from "fast-check";
import { expect, test } from "vitest";
import { readJson } from "./read-json.js";

const wrong = [
  { text: "", message: "expected a value, got the end", line: 1, column: 1 },
  { text: '{\n  "on": tru\n}', message: 'expected a value, got "t"', line: 2, column: 9 },
  { text: '{\n  "on": true,\n}', message: 'expected a name in double quotes, got "}"', line: 3, column: 1 },
  { text: '{ "a": 1 "b": 2 }', message: 'expected "," or "}", got "\\""', line: 1, column: 10 },
  { text: '{ "a" 1 }', message: 'expected ":" after the name, got "1"', line: 1, column: 7 },
  { text: "[1, 2", message: 'expected "," or "]", got the end', line: 1, column: 6 },
  { text: '["a', message: "this string does not end, or has a wrong escape", line: 1, column: 2 },
  { text: "{} {}", message: "nothing may follow the end of the object", line: 1, column: 4 },
  { text: '{"a":1,\n"a":2}', message: '"a" is there twice', line: 2, column: 1 },
  { text: "[".repeat(200), message: "there are more than 100 levels", line: 1, column: 102 },
];
for (const { text, message, line, column } of wrong) {
  test(`${JSON.stringify(text.slice(0, 30))}: ${message}`, () =>
    expect(readJson(text)).toEqual({ ok: false, message, place: { line, column } }));
}

test("tells where values are, also with names such as a/b and __proto__", () => {
  const reading = readJson('{\n  "a/b": [1,\n    {"__proto__": 2}]\n}');
  if (!reading.ok) throw new Error(reading.message);
  const places = ["", "/a~1b", "/a~1b/1/__proto__", "/a~1b/1/none/such", "/none"].map(reading.placeOf);
  expect(places).toEqual([
    { line: 1, column: 1 },
    { line: 2, column: 10 },
    { line: 3, column: 19 },
    { line: 3, column: 5 },
    { line: 1, column: 1 },
  ]);
});

test("agrees with JSON.parse about what is JSON", () => {
  const spoiled = fc
    .tuple(
      fc.json({ maxDepth: 4 }),
      fc.nat(),
      fc.constantFrom("", ",", '"', "\\", "}", "]", ":", "0", "\n", "é"),
    )
    .map(([text, at, piece]) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + piece + text.slice(place + (at % 2));
    });
  fc.assert(
    fc.property(fc.oneof(fc.json(), spoiled), (text) => {
      const reading = readJson(text);
      if (!reading.ok && reading.message.endsWith("is there twice")) return;
      expect(reading.ok ? { value: reading.value } : "refused").toEqual(parsed(text));
    }),
    { seed: 8, numRuns: 3000 },
  );
});

function parsed(text: string): unknown {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return "refused";
  }
}
