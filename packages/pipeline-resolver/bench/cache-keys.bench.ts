import { createHash } from "node:crypto";
import { sha256 } from "@wye/pipeline-spec";
import { bench } from "../../../scripts/bench-harness.js";

for (const length of [500, 5_000]) {
  const text = "x".repeat(length);
  await bench(
    `SHA-256 of ${length} characters`,
    { wye: () => sha256(text), "node:crypto": () => createHash("sha256").update(text).digest("hex") },
    {
      baseline: "node:crypto",
      note: "a cache key is one such hash; pure code runs in browsers, where the platform's is asynchronous",
    },
  );
}
