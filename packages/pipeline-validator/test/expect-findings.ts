import { expect, test } from "vitest";
import { type Profile, validatePipeline } from "../src/index.js";
import { exampleText } from "./example-text.js";

/** Something right or wrong as a patch of the example, and all that is found of it, in the order of the file, with severity and place. */
export type FindingRow = readonly [thing: string, profile: Profile, patch: string, found: readonly string[]];

/** Expects of each row what it says. */
export function expectFindings(rows: readonly FindingRow[]): void {
  test.each(rows)(
    "of %s, judged by %s, all that is wrong is told, and nothing else",
    (_, profile, patch, found) => {
      const { problems } = validatePipeline(exampleText("patch", patch), {
        profile,
        parse: { deprecations: false },
      });
      expect(problems.map(({ severity, code, path }) => `${severity} ${code} ${path}`)).toEqual(found);
    },
  );
}

/** A patch of the container of the report. */
export const container = (s: string): string =>
  `deploymentSpec: {executors: {exec-report: {container: {${s}}}}}`;

/** Settings of Kubernetes for the executor of the report. */
export const k8s = (s: string): string =>
  `{}\n---\nplatforms: {kubernetes: {deploymentSpec: {executors: {exec-report: {${s}}}}}}`;

/** A patch of the task that trains. */
export const train = (s: string): string => `root: {dag: {tasks: {train: {${s}}}}}`;

/** A patch of the task that is a loop. */
export const looped = (s: string): string => `root: {dag: {tasks: {loop: {${s}}}}}`;
