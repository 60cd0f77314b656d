import { readFileSync } from "node:fs";
import { createContext as createRealm, runInContext } from "node:vm";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { built } from "../../../scripts/built.js";

const dist = () => built(new URL("..", import.meta.url), "index.js");

test("the built package runs where there is nothing of Node, only what browsers have too", async () => {
  const bundle = await build({
    entryPoints: [dist()],
    bundle: true,
    write: false,
    format: "iife",
    globalName: "flags",
    platform: "browser",
  });
  const realm = createRealm({ TextEncoder, TextDecoder, atob });
  runInContext(bundle.outputFiles[0]?.text ?? "", realm);
  const result = runInContext(
    `const evaluator = flags.compileFlags({ flags: { f: { key: "f", version: 1, on: true, variations: ["é"], fallthrough: { variation: 0 } } } });
     const { context } = flags.contextFromBase64("eyJraW5kIjoidXNlciIsImtleSI6InVzZXJrZXkifQ");
     [evaluator.evaluateAll(context), evaluator.evaluateAllBytes(context).length, evaluator.evaluate("f", context).value];`,
    realm,
  );
  expect(JSON.stringify(result)).toBe(
    JSON.stringify(['{"f":{"value":"\\u00e9","variation":0,"version":1}}', 50, "é"]),
  );
});

test("the built package imports nothing", () => {
  expect(readFileSync(dist(), "utf8")).not.toMatch(/\bimport\s|\brequire\(|\bimport\(/);
});
