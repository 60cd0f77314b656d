import { buildGraph, parsePipeline } from "@wye/pipeline-spec";
import { expect, test } from "vitest";
import { ruleFamilies } from "../src/rule-table.js";
import { exampleText } from "./example-text.js";
import { humanMistakes } from "./human-mistakes.js";

/** Texts in which every rule finds something somewhere, and most find nothing. */
const texts = [
  ...humanMistakes.map(({ text }) => text),
  ...ruleFamilies.flatMap(({ examples = "patch", rules }) =>
    examples === "patch" ? rules.map(({ examples: { wrong } }) => exampleText(examples, wrong)) : [],
  ),
];
const graphs = texts.flatMap((text) => {
  const parsed = parsePipeline(text);
  const pipeline = parsed.ok ? parsed.pipeline : parsed.partial;
  return pipeline === undefined ? [] : [buildGraph(pipeline)];
});

for (const { title, appliesTo, rules } of ruleFamilies) {
  if (appliesTo === undefined) continue;
  test(`where there is nothing of what "${title}" is about, none of its rules finds anything`, () => {
    const others = graphs.filter((graph) => !appliesTo(graph));
    const found = others.flatMap((graph) =>
      (["kfp", "spec"] as const).flatMap((profile) =>
        rules.flatMap(({ id, check }) => [...(check?.(graph, profile) ?? [])].map(({ at }) => `${id} ${at}`)),
      ),
    );
    expect(found).toEqual([]);
    // Both occur, so that the test says something.
    expect(others.length).toBeGreaterThan(0);
    expect(others.length).toBeLessThan(graphs.length);
  });
}
