// Asks the back end what becomes of the patches of testdata/patches.json, and writes it there. It wants Go, and what `npm run build` makes.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { parsePipeline } from "@wye/pipeline-spec";
import { toArgoWorkflow } from "../../dist/index.js";

const file = new URL("../../testdata/patches.json", import.meta.url);
const { pipeline, patches } = JSON.parse(readFileSync(file, "utf8"));
const parsed = parsePipeline(pipeline);
const { spec } = toArgoWorkflow(parsed.pipeline).workflow;
const input = patches.map(({ patch }) => JSON.stringify({ spec, patch })).join("\n");
const { stdout, stderr, status } = spawnSync("go", ["run", "./patches"], {
  cwd: new URL(".", import.meta.url),
  input: `${input}\n`,
  encoding: "utf8",
  maxBuffer: 2 ** 28,
});
if (status !== 0) throw new Error(stderr);
const answers = stdout.split("\n");

/** What a patch names of a specification. */
function named(patch, whole) {
  const fields = Object.keys(patch).filter((name) => Object.hasOwn(whole, name));
  return Object.fromEntries(
    fields.map((name) => {
      if (name !== "templates" || !Array.isArray(patch.templates)) return [name, whole[name]];
      const names = patch.templates.map((one) => one?.name);
      return [name, whole.templates.filter((one) => names.includes(one.name))];
    }),
  );
}

const recorded = patches.map(({ patch }, index) => {
  const answer = answers[index];
  return answer === "" ? { patch, refused: true } : { patch, becomes: named(patch, JSON.parse(answer)) };
});
const lines = recorded.map((one) => `    ${JSON.stringify(one)}`);
writeFileSync(
  file,
  `{\n  "pipeline": ${JSON.stringify(pipeline)},\n  "patches": [\n${lines.join(",\n")}\n  ]\n}\n`,
);
