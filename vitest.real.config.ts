import { defineConfig } from "vitest/config";

/** What `npm run test:real` runs: suites against real servers, browsers and SDKs, started by `.ci/run`. */
export default defineConfig({
  test: {
    include: ["**/*.real.test.ts"],
    exclude: ["**/node_modules/**", "**/dist/**"],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    fileParallelism: false,
    reporters: ["default", ["json", { outputFile: ".reports/real.json" }]],
  },
});
