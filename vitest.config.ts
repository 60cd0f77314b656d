import { defineConfig } from "vitest/config";

/** What `npm test` runs in every workspace: all that needs nothing but Node. */
export default defineConfig({
  test: {
    include: ["**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/dist/**", "**/*.real.test.ts"],
    // Shared, busy machines: a slow test is not a wrong one.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    reporters: ["default", ["json", { outputFile: ".reports/test.json" }]],
    coverage: {
      include: ["src/**/*.ts"],
      exclude: ["src/gen/**", "**/*.test.ts"],
      reporter: ["text-summary", "json-summary"],
      reportsDirectory: ".reports/coverage",
      thresholds: { lines: 90, functions: 90, branches: 85 },
    },
  },
});
