import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { mergeConfig } from "vitest/config";
import { BaseSequencer, type Reporter, type TestSpecification, type Vitest } from "vitest/node";
import base from "./vitest.config.js";

/** The first test that fails ends the trial: what has noticed the mutant before comes first, then what is soon through. */
class LikeliestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const costOf = ({ project, moduleId }: TestSpecification): number => {
      const last = this.ctx.cache.getFileTestResults(
        `${project.name}:${relative(this.ctx.config.root, moduleId)}`,
      );
      return last?.failed ? -1 : (last?.duration ?? 0);
    };
    return files.toSorted((a, b) => costOf(a) - costOf(b));
  }
}

/** Stryker looks at tests alone: a file that a mistake keeps from being loaded has none, so that is shown as one that fails. */
class LoadFailures implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(): void {
    for (const file of this.#vitest?.state.getFiles() ?? []) {
      if (file.result?.state !== "fail" || file.tasks.length > 0) continue;
      const { id, result } = file;
      const failed = {
        id: `${id}_load`,
        type: "test",
        name: "is loaded",
        mode: "run",
        file,
        result,
        meta: {},
      };
      Object.assign(file, { tasks: [failed] });
    }
  }
}

/**
 * What mutants are tried with: no suite that counts time or memory, because code with mutants in it takes many times as much, and none of
 * built files, in which there are no mutants.
 */
export default mergeConfig(base, {
  test: {
    exclude: ["**/strangers.test.ts", "**/costs.test.ts", "**/*.built.test.ts"],
    env: { WYE_MUTATION: "1" },
    setupFiles: [fileURLToPath(new URL("scripts/load-sources.ts", import.meta.url))],
    sequence: { sequencer: LikeliestFirst },
    // Stryker ends what hangs; before that, code with ten thousand switches in it is only slow.
    testTimeout: 300_000,
    // Mistakes are made in one package: the others are loaded as they are built, which takes a quarter of the time.
    server: { deps: { external: [/\/packages\/[^/]+\/dist\//] } },
    reporters: [new LoadFailures()],
  },
});
