import { ruleCatalogue } from "@wye/pipeline-validator";
import { expect, test } from "vitest";
import { wye } from "../../test/run-program.js";
import { explainRule } from "./explain.js";

const rules = ruleCatalogue().flatMap((group) => group.rules);

/** What is printed about a rule, or about all. */
function explained(id: string | undefined, json = false): string {
  let printed = "";
  const host = { out: { write: (text: string) => (printed += text) } } as never;
  expect(explainRule(id, { json }, host)).toBe(0);
  return printed;
}

/** Files of which nothing can be read, each with the rule that says why. */
const unreadable = {
  empty: "",
  "no-specification": "platforms:\n  kubernetes: {}\n",
  "not-a-pipeline": "- 1\n",
  "not-text": new Uint8Array([0xff, 0xfe, 0xff]),
  "version-1": "apiVersion: argoproj.io/v1alpha1\nkind: Workflow\n",
  "yaml-syntax": "a: [\n",
} as const;

test.each(Object.entries(unreadable))(
  "%s cannot be switched off, as its explanation says",
  async (id, contents) => {
    const readInput = async () => Buffer.from(contents);
    const { code, out } = await wye(["pipeline", "check", "-", "--rule", `${id}=off`], { readInput });
    expect([code, out]).toEqual([1, expect.stringContaining(`error[${id}]`)]);
    expect(explained(id)).toContain("\nIt cannot be switched off: nothing can be read of such a file.\n");
  },
);

test("all other rules say how they are switched off, but that of files that are too large", () => {
  const final = rules.map(({ id }) => id).filter((id) => explained(id).includes("cannot be switched off"));
  expect(final.sort()).toEqual([...Object.keys(unreadable), "too-large"].sort());
  for (const { id } of rules.filter((rule) => !final.includes(rule.id)))
    expect(explained(id)).toContain(
      `\nTo switch it off: --rule ${id}=off, or in a file the comment "# wye-disable-next-line ${id}".\n`,
    );
});

test.each(rules)("$id is explained with its level, its reason and its examples", (rule) => {
  const { id, summary, reason, severity, examples } = rule;
  const text = explained(id);
  const { kfp, spec } = severity;
  expect(text.split("\n")[0]).toBe(
    kfp === spec ? `${id} (${kfp})` : `${id} (${kfp}; ${spec} with --profile spec)`,
  );
  expect(text).toContain(`\n\n${summary}\n${reason}\n`);
  const blocks = text.split(/\n(?=Wrong:|Right:)/).slice(1);
  const lines = blocks.map((block) =>
    block
      .split("\n")
      .slice(1)
      .filter((line) => line.startsWith("  ")),
  );
  expect(lines.map((block) => block.map((line) => line.slice(2)).join("\n"))).toEqual(
    examples === undefined ? [] : [examples.wrong, examples.right].map((one) => one.trimEnd()),
  );
  expect(JSON.parse(explained(id, true))).toEqual(JSON.parse(JSON.stringify(rule)));
});

test("without an id all are listed by their groups, each on a line", () => {
  const groups = ruleCatalogue();
  const lists = explained(undefined).trimEnd().split("\n\n");
  expect(lists.map((list) => list.split("\n")[0])).toEqual(groups.map(({ title }) => title));
  expect(lists.flatMap((list) => list.split("\n").slice(1))).toEqual(
    rules.map(({ id, summary }) => `  ${id.padEnd(34)} ${summary}`),
  );
  expect(JSON.parse(explained(undefined, true))).toEqual(JSON.parse(JSON.stringify(groups)));
});
