import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** What `npm test` runs in every workspace: all that needs nothing but Node. */
export default defineConfig({
  test: {
    include: ["**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/dist/**", "**/*.real.test.ts"],
    // Files share processes: loading everything anew for each of them takes a third of the time, and nothing here has a
    // global state that it would keep apart.
    isolate: false,
    // Suites wait for sockets, timers and programs half of their time: one process alone would leave two processors idle.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // What hangs is told soon where somebody waits for it; on shared, busy machines a slow test is not a wrong one. Tests that
    // take seconds by themselves say so.
    testTimeout: process.env.CI ? 300_000 : 20_000,
    hookTimeout: process.env.CI ? 300_000 : 60_000,
    // What is waited for comes when it comes.
    expect: { poll: { timeout: process.env.CI ? 120_000 : 10_000 } },
    reporters: ["default", ["json", { outputFile: ".reports/test.json" }]],
  },
});
