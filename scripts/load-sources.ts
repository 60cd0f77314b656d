import { readdirSync } from "node:fs";
import { join } from "node:path";
import { inject } from "vitest";

// Before mistakes are made, Stryker looks which test runs which code. What a program loads late, its first test would load for all
// of them: a mistake in what runs then would be tried with that one test. So everything is loaded before the first one.
const mode: unknown = inject("mode" as never);
if (mode === "dry-run") {
  const names = readdirSync("src", { recursive: true, encoding: "utf8" });
  for (const name of names)
    if (name.endsWith(".ts") && !/\.test\.ts$|^main\.ts$/.test(name))
      // What cannot be loaded here, for a page or a process of its own, is left to its tests.
      await import(join(process.cwd(), "src", name)).catch(() => {});
}
