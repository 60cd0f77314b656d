import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ruleCatalogue, ruleHelp, toSarif, validatePipeline } from "../src/index.js";

const docs = new URL("../../../docs/", import.meta.url);
const rules = ruleCatalogue().flatMap((group) => group.rules);

test("every rule is written about where its help is said to be, under a heading of its own", () => {
  const missing = rules.filter(({ id }) => {
    const [, page = "", anchor = ""] = /\/docs\/([^#]+)#(.+)$/.exec(ruleHelp(id) ?? "") ?? [];
    return anchor !== id || !readFileSync(new URL(page, docs), "utf8").includes(`\n## ${id}\n`);
  });
  expect(missing.map(({ id }) => id)).toEqual([]);
});

const blocks = (section: string): readonly string[] =>
  [...section.matchAll(/^```yaml\n(.*?)\n```$/gms)].map(([, block = ""]) => block);
/** As on the page, where a text of a thousand characters is cut. */
const shortened = (example: string): string => example.trim().replace(/(long ){20,}/, "long long long … ");

test.each(ruleCatalogue())(
  "$title: what is written about its rules is what they say of themselves",
  (group) => {
    const [head = "", ...sections] = readFileSync(
      new URL(`pipelines/rules/${group.page}.md`, docs),
      "utf8",
    ).split("\n## ");
    expect(head).toMatch(`# ${group.title}\n`);
    expect(sections.map((section) => section.split("\n", 1)[0])).toEqual(group.rules.map(({ id }) => id));
    for (const [index, { id, summary, reason, severity, examples }] of group.rules.entries()) {
      const [heading, first, ...rest] = (sections[index] ?? "").trim().split("\n\n");
      const { kfp, spec } = severity;
      const level = kfp === spec ? `**${kfp}**` : `**${kfp}** under \`kfp\`, **${spec}** under \`spec\``;
      expect([heading, first]).toEqual([id, `${summary} ${level}`]);
      expect(summary).toMatch(/^[A-Z].*\.$/s);
      if (examples === undefined) continue;
      expect(rest[0]).toBe(reason);
      expect(blocks(rest.join("\n\n"))).toEqual([shortened(examples.wrong), examples.right.trim()]);
      for (const code of examples.besides ?? []) expect(rest[1]).toContain(`\`${code}\``);
    }
  },
);

test("the list of all rules has an anchor for each, as when all stood on that page", () => {
  const list = readFileSync(new URL("pipelines/rules.md", docs), "utf8");
  expect(rules.filter(({ id }) => list.split(`<a id="${id}"></a>`).length !== 2)).toEqual([]);
});

test("of a rule of one's own nothing is known", () => {
  expect(ruleHelp("acme/image-registry")).toBeUndefined();
  expect(ruleHelp("constructor")).toBeUndefined();
  const own = {
    id: "acme/x",
    summary: "X.",
    severity: "error",
    check: () => [{ at: "", message: "x" }],
  } as const;
  const [run] = toSarif(
    validatePipeline("pipelineInfo: {name: a}\nroot: {dag: {}}\n", { rules: [own] }),
  ).runs;
  const described = run?.tool.driver.rules.find(({ id }) => id === "acme/x");
  expect(described).toBeDefined();
  expect(described).not.toHaveProperty("helpUri");
});
