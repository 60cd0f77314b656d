import { ResolverSpec, RuntimeArtifact } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { type IndexedArtifact, selectArtifacts } from "./index.js";

const artifact = (
  name: string,
  title: string,
  uri: string,
  more: Partial<IndexedArtifact> = {},
): IndexedArtifact => ({
  artifact: RuntimeArtifact.create({ name, uri, type: { kind: { $case: "schemaTitle", value: title } } }),
  contexts: ["mine"],
  ...more,
});
const index = [
  artifact("old", "system.Model", "gs://b/old"),
  artifact("new", "system.Model", "gs://b/new"),
  artifact("gone", "system.Model", "gs://b/gone", { state: "Deleted" }),
  artifact('a "quoted" AND', "system.Dataset", "gs://b/data"),
  {
    artifact: RuntimeArtifact.create({ type: { kind: { $case: "instanceSchema", value: "system.Model" } } }),
    contexts: ["other"],
  },
  artifact("theirs", "system.Model", "gs://b/theirs", { contexts: ["other", "other/run-1"] }),
];
const select = (filter: string, limit = 0) =>
  selectArtifacts(ResolverSpec.create({ outputArtifactQueries: { out: { filter, limit } } }), index, {
    context: "mine",
  });
const namesOf = (filter: string, limit?: number) => {
  const result = select(filter, limit);
  return result.ok ? result.value.artifacts.out?.artifacts.map(({ name }) => name) : result.problems;
};

describe("selectArtifacts finds", () => {
  test.each<[string, number | undefined, string[]]>([
    [`artifact_type="system.Model" AND state=LIVE`, undefined, ["new"]],
    [`artifact_type="system.Model"`, 9, ["gone", "new", "old"]],
    [`  state = DELETED `, 0, ["gone"]],
    [`state="deleted"`, 0, ["gone"]],
    [`artifact_type\t=\n"system.Model"\r\n  AND   state=live`, 1, ["new"]],
    [`artifact_type="system.Model"`, 2, ["gone", "new"]],
    [`artifact_type="system.Model"`, 1, ["gone"]],
    [`artifact_type="system.Model"`, 0, ["gone"]],
    ["   ", undefined, ['a "quoted" AND']],
    [`uri="gs://b/old"`, 1, ["old"]],
    [String.raw`name="a \"quoted\" AND"`, 1, ['a "quoted" AND']],
    [`in_context("other") AND artifact_type="system.Model"`, 5, ["theirs"]],
    [`in_context( "other/run-1" )`, 5, ["theirs"]],
    ["", undefined, ['a "quoted" AND']],
  ])("by %s, at most %s", (filter, limit, names) => expect(namesOf(filter, limit)).toEqual(names));
});

test("what is found comes with no problems, and problems with nothing that is found", () => {
  expect(select('name="new"')).toMatchObject({ ok: true, problems: [], value: { parameters: {} } });
  expect(select('name="nobody"')).toEqual({
    ok: false,
    problems: [expect.objectContaining({ code: "items", severity: "error" })],
  });
});

describe("selectArtifacts says what is wrong with", () => {
  test.each<[string, string]>([
    [
      `nam="x"`,
      `column 1 of "nam=\\"x\\"": expected one of in_context, artifact_type, uri, state, name; did you mean name?`,
    ],
    [`name="x" or uri="y"`, "column 10"],
    [`name="x" AND`, "expected a condition after AND"],
    [`   nam="x"`, "column 4 of"],
    [`name="x"   or`, "column 12 of"],
    [`name="x" AND  \t nam="y"`, "column 17 of"],
    [`name="x"   AND   `, 'column 18 of "name=\\"x\\"   AND   ": expected a condition after AND'],
    [`="x"`, 'column 1 of "=\\"x\\"": expected one of in_context, artifact_type, uri, state, name'],
    [
      `artifact_type=x`,
      'column 14 of "artifact_type=x": expected a condition like artifact_type="system.Model"',
    ],
    [`uri=x`, 'expected a condition like uri="gs://bucket/model"'],
    [`state=1`, "expected a condition like state=LIVE"],
    [`name="x`, 'column 5 of "name=\\"x": expected a condition like name="the name"'],
    [`in_context="x"`, 'expected a condition like in_context("the name")'],
    [`name="x" ANDuri="y"`, "expected AND"],
    [`name="nobody"`, "no artifact is described by"],
  ])("%s", (filter, message) => {
    const result = select(filter);
    expect(result.problems).toMatchObject([{ path: "/outputArtifactQueries/out/filter", severity: "error" }]);
    expect(result.problems[0]?.message).toContain(message);
  });

  test("a query whose name has to be written in another way in a place", () => {
    const queries = ResolverSpec.create({ outputArtifactQueries: { "a~/b": { filter: "=", limit: 0 } } });
    const { problems } = selectArtifacts(queries, index, { context: "mine" });
    expect(problems.map(({ path }) => path)).toEqual(["/outputArtifactQueries/a~0~1b/filter"]);
  });

  test.each([`nam="x"`, `name="nobody"`])("a negative limit, beside all else: %s", (filter) => {
    const { problems } = select(filter, -1);
    expect(problems.map(({ path }) => path)).toEqual([
      "/outputArtifactQueries/out/limit",
      "/outputArtifactQueries/out/filter",
    ]);
    expect(problems[0]?.message).toBe("a query finds at least one artifact, not -1");
  });
});

test("a setting that there is not is refused", () => {
  const options = { context: "p", contxt: "q" } as never;
  expect(() => selectArtifacts({ outputArtifactQueries: {} }, [], options)).toThrow(
    'selectArtifacts has no option "contxt": did you mean',
  );
});
