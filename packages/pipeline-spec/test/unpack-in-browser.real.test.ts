import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type UnpackResult, unpackPipeline } from "../src/index.js";

const archives = new URL("../testdata/archives/", import.meta.url);
const maxBytes = 1_000_000;

let browser: Browser;
let page: Page;

beforeAll(async () => {
  const executablePath = process.env.WYE_CHROMIUM;
  if (executablePath === undefined) throw new Error("WYE_CHROMIUM must name a Chromium; .ci/run sets it");
  const args = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"];
  browser = await chromium.launch({ executablePath, args, timeout: 300_000 });
  page = await browser.newPage();
  const { outputFiles } = await build({
    stdin: {
      contents: `
        import { parsePipeline, unpackPipeline } from "@wye/pipeline-spec";
        globalThis.unpack = async (base64, maxBytes) => {
          const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
          const result = await unpackPipeline(bytes, { maxBytes });
          if (!result.ok) return JSON.stringify(result);
          return JSON.stringify({ ...result, bytes: [...result.bytes], parses: parsePipeline(result.bytes).ok });
        };`,
      resolveDir: fileURLToPath(new URL(".", import.meta.url)),
    },
    bundle: true,
    write: false,
    platform: "browser",
    format: "iife",
  });
  await page.addScriptTag({ content: outputFiles[0]?.text ?? "" });
});
afterAll(() => browser?.close());

async function inBrowser(archive: Uint8Array): Promise<UnpackResult & { parses?: boolean }> {
  const base64 = Buffer.from(archive).toString("base64");
  const json: string = await page.evaluate(`unpack("${base64}", ${maxBytes})`);
  const { bytes, ...result } = JSON.parse(json);
  return bytes === undefined ? result : { name: undefined, ...result, bytes: new Uint8Array(bytes) };
}

const files = readdirSync(archives).filter((name) => name !== "README.md");
test.each(files)("a browser makes of %s what Node makes of it", async (name) => {
  const archive = new Uint8Array(readFileSync(new URL(name, archives)));
  const { parses, ...result } = await inBrowser(archive);
  expect(result).toEqual(await unpackPipeline(archive, { maxBytes }));
  expect(parses).toBe(result.ok ? true : undefined);
});

const gzip = (content: Uint8Array) => new Uint8Array(gzipSync(content));
const text = new TextEncoder().encode("pipelineInfo: {name: hello}\nroot: {dag: {tasks: {}}}\n");
test.each([
  ["a compressed file", gzip(text), true],
  ["a file that is no archive", text, true],
  ["a file that was cut off", gzip(text).slice(0, -4), false],
  ["a file with a wrong checksum", gzip(text).fill(0, -8, -4), false],
  ["a compressed compressed file", gzip(gzip(text)), false],
  ["a bomb", gzip(new Uint8Array(50_000_000)), false],
])("a browser and Node agree on %s", async (_, archive, ok) => {
  const { parses: _parses, ...result } = await inBrowser(archive);
  expect(result).toEqual(await unpackPipeline(archive, { maxBytes }));
  expect(result.ok).toBe(ok);
});

test("two compressed files in a row are one to Node alone, as its documentation says", async () => {
  const archive = new Uint8Array([...gzip(text), ...gzip(text)]);
  expect(await unpackPipeline(archive)).toMatchObject({ ok: true });
  expect(await inBrowser(archive)).toMatchObject({ ok: false, problems: [{ code: "archive" }] });
});
