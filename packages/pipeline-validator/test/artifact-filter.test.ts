import fc from "fast-check";
import { expect, test } from "vitest";
import { parseArtifactFilter } from "../src/artifact-filter.js";

const good: readonly (readonly [text: string, terms: readonly (readonly [string, string])[]])[] = [
  ['artifact_type="system.Dataset"', [["artifact_type", "system.Dataset"]]],
  ['in_context("my run")', [["in_context", "my run"]]],
  ["state=LIVE", [["state", "LIVE"]]],
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

const bad: readonly (readonly [text: string, place: string])[] = [
  ['artifact_tipe="x"', "artifact_tipe"],
  ["artifact_type=system.Dataset", "system"],
  ['artifact_type:"x"', ":"],
  ['state="LIVE"', '"LIVE"'],
  ['state=LIVE OR name="x"', "OR"],
  ["state=LIVE AND", ""],
  ['in_context["x"]', "["],
  ['in_context("x"', ""],
  ['name="x', '"'],
];

for (const [text, place] of bad) {
  test(`refuses ${text} at the place`, () => {
    const result = parseArtifactFilter(text);
    expect(result.ok).toBe(false);
    expect(result.ok ? undefined : text.slice(result.span.start, result.span.end)).toBe(place);
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
