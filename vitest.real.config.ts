import { defineConfig } from "vitest/config";

/** What `npm run test:real` runs: suites against real servers, browsers and SDKs, started by `.ci/run`. */
export default defineConfig({
  test: {
    // What is random runs in `npm test` as well, for a tenth of its rounds or so.
    include: ["**/*.real.test.ts", "**/*.random.test.ts"],
    env: { WYE_ALL_ROUNDS: "1" },
    exclude: ["**/node_modules/**", "**/dist/**"],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    fileParallelism: false,
    // What is waited for comes when it comes.
    expect: { poll: { timeout: 120_000 } },
    reporters: ["default", ["json", { outputFile: ".reports/real.json" }]],
  },
});
