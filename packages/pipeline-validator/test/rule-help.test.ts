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
