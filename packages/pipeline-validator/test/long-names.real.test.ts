import { expect, test } from "vitest";
import { formatProblems, toJson, toSarif, validatePipeline } from "../src/index.js";
import { humanMistakes } from "./human-mistakes.js";

const long = (name: string) => name + "n".repeat(30_000);
const names = ["load", "train", "labels", "epochs", "score", "names", "notify", "europe", "status", "Model"];
const lengthen = (text: string) => names.reduce((all, name) => all.replaceAll(name, long(name)), text);

const sample = humanMistakes.filter((_, index) => index % 9 === 0);
test(`long names make no long reports, in ${sample.length} mistakes of the catalogue`, {
  timeout: 300_000,
}, () => {
  for (const { text, name } of sample) {
    const report = validatePipeline(lengthen(text), { maxProblems: 50 });
    expect(report.problems.length, name).toBeGreaterThan(0);
    // A problem has at most ten related places.
    for (const written of [toJson(report), toSarif(report)]) {
      expect(JSON.stringify(written).length, name).toBeLessThan(20_000 * report.problems.length);
    }
    expect(formatProblems(report, { source: lengthen(text) }).length, name).toBeLessThan(
      20_000 * report.problems.length,
    );
  }
});
