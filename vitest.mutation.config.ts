import { mergeConfig } from "vitest/config";
import base from "./vitest.config.js";

/** What mutants are tried with: no suite that counts time or memory, because code with mutants in it takes many times as much. */
export default mergeConfig(base, {
  test: {
    exclude: ["**/strangers.test.ts"],
    reporters: [],
  },
});
