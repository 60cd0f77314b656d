import { expect, test } from "vitest";
import { parseArtifactFilter } from "./artifact-filter.js";

test.each<[filter: string, ...conditions: string[]]>([
  [""],
  ["  "],
  ['in_context("a b")', "in_context: a b"],
  ['in_context ( "a" ) ', "in_context: a"],
  ['artifact_type="system.Model"', "artifact_type: system.Model"],
  ['artifact_type = "a"', "artifact_type: a"],
  ['uri="gs://b/m"', "uri: gs://b/m"],
  ['uri =  ""', "uri: "],
  ["state=LIVE", "state: LIVE"],
  ['state="LIVE"', "state: LIVE"],
  ["state = pending_1"],
  ['name="a\\"b\\\\c\\d"', 'name: a"b\\cd'],
  ['name="AND"', "name: AND"],
  ['  name="a"   AND   uri="b"  ', "name: a", "uri: b"],
  ['name="a"AND uri="b"', "name: a", "uri: b"],
  ['name="a" AND name="b" AND state=LIVE', "name: a", "name: b", "state: LIVE"],
])("%j asks for %j", (filter, ...conditions) => {
  const parsed = parseArtifactFilter(filter);
  const found = parsed.ok ? parsed.conditions.map(({ kind, value }) => `${kind}: ${value}`) : [];
  expect(found).toEqual(conditions);
});

const one = "expected one of in_context, artifact_type, uri, state, name";
const like = (example: string) => `expected a condition like ${example}`;
test.each<[filter: string, column: number, message: string]>([
  ["x", 1, one],
  [" x", 2, one],
  ["=", 1, one],
  ['nmae="a"', 1, `${one}; did you mean name?`],
  ['name="a" AND artefact_type="b"', 14, `${one}; did you mean artifact_type?`],
  ['NAME="a"', 1, `${one}; did you mean name?`],
  ['name "a"', 5, like('name="the name"')],
  ["name=a", 5, like('name="the name"')],
  ['name="a', 5, like('name="the name"')],
  ['name="a\\"', 5, like('name="the name"')],
  ['in_context="a"', 11, like('in_context("the name")')],
  ['in_context("a"', 11, like('in_context("the name")')],
  ["artifact_type", 14, like('artifact_type="system.Model"')],
  ["uri=", 4, like('uri="gs://bucket/model"')],
  ["state=5", 6, like("state=LIVE")],
  ["state LIVE", 6, like("state=LIVE")],
  ["state = pending_1", 17, "expected AND"],
  ['name="a" uri="b"', 10, "expected AND"],
  ['name="a" ANDuri="b"', 10, "expected AND"],
  ['name="a" and uri="b"', 10, "expected AND"],
  ['name="a" OR uri="b"', 10, "expected AND"],
  ['name="a" AND', 13, "expected a condition after AND"],
  ['name="a" AND ', 14, "expected a condition after AND"],
  ['AND name="a"', 1, one],
  ['name="a" AND AND', 14, one],
])("%j is wrong from column %d: %s", (filter, column, message) => {
  expect(parseArtifactFilter(filter)).toEqual({ ok: false, column, message });
});
