import { fileURLToPath } from "node:url";
import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { buildSync } from "esbuild";
import { expect, test } from "vitest";
import * as all from "../src/index.js";

/** What a browser loads for these imports from the built package. */
function bundle(
  names: string,
  format: "esm" | "iife" = "esm",
): { code: string; bytes: number; inputs: string[] } {
  const { outputFiles, metafile } = buildSync({
    stdin: {
      contents: `export { ${names} } from "@wye/pipeline-spec"`,
      resolveDir: fileURLToPath(new URL("..", import.meta.url)),
    },
    bundle: true,
    minify: true,
    format,
    ...(format === "iife" ? { globalName: "wye" } : {}),
    platform: "browser",
    write: false,
    metafile: true,
    logLevel: "error",
  });
  const [file] = outputFiles;
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.keys(output.inputs));
  return { code: file?.text ?? "", bytes: gzipSync(file?.contents ?? "", { level: 9 }).length, inputs };
}

test("reading and writing JSON takes at most 10.6 KB in a browser, and nothing of the YAML parser or of the wire code", () => {
  const { bytes, inputs } = bundle("readJson, writeJson");
  expect(bytes).toBeGreaterThan(4000);
  expect(bytes).toBeLessThanOrEqual(10_854);
  expect(inputs.filter((path) => path.includes("node_modules"))).toEqual([]);
});

test("nothing but what reads YAML brings the YAML parser", () => {
  const ofYaml = ["parsePipeline", "rewritePipeline", "commentOffsets"];
  const names = Object.keys(all).filter((name) => !ofYaml.includes(name));
  expect(names.length).toBeGreaterThan(50);
  const { inputs } = bundle(names.join(", "));
  expect(inputs.filter((path) => path.includes("node_modules/yaml/"))).toEqual([]);
});

test("parsing a file brings the YAML parser and nothing of the wire code", () => {
  const { inputs } = bundle("parsePipeline");
  expect(inputs.some((path) => path.includes("node_modules/yaml/"))).toBe(true);
  expect(inputs.filter((path) => path.includes("@bufbuild/protobuf"))).toEqual([]);
});

test("everything works where there is nothing of Node", () => {
  const { code } = bundle("parsePipeline, printPipeline, PipelineSpec, readBinary", "iife");
  const program = `${code}
    const parsed = wye.parsePipeline("root: {dag: {tasks: {a: &a {componentRef: {name: b}}, c: *a}}}");
    const bytes = wye.PipelineSpec.encode(parsed.pipeline.spec).finish();
    const { ok, value } = wye.readBinary("PipelineSpec", bytes);
    ok ? wye.printPipeline({ spec: value }) : "";`;
  const printed = runInNewContext(program, { TextDecoder, TextEncoder, atob, btoa });
  expect(printed).toBe(
    "root:\n  dag:\n    tasks:\n      a:\n        componentRef:\n          name: b\n      c:\n        componentRef:\n          name: b\n",
  );
});
