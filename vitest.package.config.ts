import { defineConfig, mergeConfig } from "vitest/config";
import base from "./vitest.config.js";

/** What `npm test` runs in a package. How much of the sources the tests reach is asked for by itself: it takes up to a third of their time. */
export default mergeConfig(
  base,
  defineConfig({
    test: {
      coverage: {
        enabled: Boolean(process.env.WYE_COVERAGE),
        include: ["src/**/*.ts"],
        exclude: ["src/gen/**", "**/*.test.ts"],
        reporter: ["text-summary", "json-summary"],
        reportsDirectory: ".reports/coverage",
        thresholds: { lines: 90, functions: 90, branches: 85 },
      },
    },
  }),
);
