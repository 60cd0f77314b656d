import fc from "fast-check";
import { expect, test } from "vitest";
import { parseArtifactFilter } from "../src/artifact-filter.js";

const good: readonly (readonly [text: string, terms: readonly (readonly [string, string])[]])[] = [
  ['artifact_type="system.Dataset"', [["artifact_type", "system.Dataset"]]],
  ['in_context("my run")', [["in_context", "my run"]]],
  ["state=LIVE", [["state", "LIVE"]]],
  ["state=my_State", [["state", "my_State"]]],
  ['name=""', [["name", ""]]],
  [
    'name="a\\\\" AND uri="b"',
    [
      ["name", "a\\"],
      ["uri", "b"],
    ],
  ],
  ['name="a\nb"', [["name", "a\nb"]]],
  [
    'uri="gs://a/b" AND name="x\\"y" AND state = LIVE',
    [
      ["uri", "gs://a/b"],
      ["name", 'x"y'],
      ["state", "LIVE"],
    ],
  ],
];

for (const [text, terms] of good) {
  test(`reads ${text}`, () => {
    expect(parseArtifactFilter(text)).toEqual({
      ok: true,
      terms: terms.map(([field, value]) => ({ field, value })),
    });
  });
}

const text = "a text in double quotes is expected here";
const condition = 'a condition such as artifact_type="…" is expected here';
const bad: readonly (readonly [text: string, place: string, message: string, word?: string])[] = [
  ['artifact_tipe="x"', "artifact_tipe", condition, "artifact_tipe"],
  ["state=LIVE AND", "", condition, ""],
  ["artifact_type=system.Dataset", "system", text],
  ['artifact_type:"x"', ":", "= is expected after artifact_type"],
  ['uri("x")', "(", "= is expected after uri"],
  ["name", "", "= is expected after name"],
  ['state="LIVE"', '"LIVE"', "a state such as LIVE is expected here"],
  ["state=5", "5", "a state such as LIVE is expected here"],
  ["state=LIVE5", "LIVE5", "a state such as LIVE is expected here"],
  ["state=5LIVE", "5LIVE", "a state such as LIVE is expected here"],
  ['state=LIVE OR name="x"', "OR", "AND or the end is expected here"],
  ['state=LIVE and name="x"', "and", "AND or the end is expected here"],
  ['state=LIVE name="x"', "name", "AND or the end is expected here"],
  ['Name="x"', "Name", condition, "Name"],
  ["", "", condition, ""],
  ["state=LIVE)", ")", "AND or the end is expected here"],
  ['in_context["x"]', "[", "( is expected after in_context"],
  ["in_context(x)", "x", text],
  ['in_context("x"', "", ") is expected here"],
  ['in_context("x"]', "]", ") is expected here"],
  ['name="x', '"', text],
];

for (const [text, place, message, word] of bad) {
  test(`refuses ${text} at the place`, () => {
    const result = parseArtifactFilter(text);
    if (result.ok) expect.unreachable();
    expect(text.slice(result.span.start, result.span.end)).toBe(place);
    expect([result.message, result.word]).toEqual([message, word]);
  });
}

test("gives an answer for any text", () => {
  const text = fc.oneof(
    fc.string(),
    fc
      .array(fc.constantFrom("in_context", "(", ")", '"', "=", "AND", "state", " ", "x", "\\"))
      .map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(text, (filter) => {
      const result = parseArtifactFilter(filter);
      expect(result.ok || result.span.end <= filter.length).toBe(true);
    }),
    { seed: 5, numRuns: 1000 },
  );
});
