import { describe, expect, test } from "vitest";
import {
  locate,
  type Pipeline,
  parsePipeline,
  pointer,
  printPipeline,
  rewritePipeline,
  writeJson,
} from "../src/index.js";
import { isObject, jsonEquals } from "../src/json-value.js";
import { yamlLine, yamlLines } from "../src/print-yaml.js";
import { corpus } from "./corpus.js";
import { randomChange } from "./random-changes.js";

const changesEach = process.env.WYE_ALL_ROUNDS ? 4 : 1;

function parse(text: string): Pipeline {
  const parsed = parsePipeline(text);
  return parsed.ok ? parsed.pipeline : expect.unreachable(JSON.stringify(parsed.problems[0]));
}

function jsonOf({ spec, deployment, platform }: Pick<Pipeline, "spec" | "deployment" | "platform">) {
  return {
    ...(writeJson("PipelineSpec", { ...spec, deploymentSpec: undefined }) as object),
    deploymentSpec: writeJson("PipelineDeploymentConfig", deployment),
    ...(platform === undefined ? {} : (writeJson("PlatformSpec", platform) as object)),
  };
}

/** A value that differs; a new one is none of the text. */
interface Difference {
  readonly path: string;
  readonly isNew: boolean;
}

/** The smallest values that differ, and maps that keep none of their entries. */
function* differences(before: unknown, after: unknown, path = ""): Generator<Difference> {
  if (jsonEquals(before, after)) return;
  const areMaps = isObject(before) && isObject(after);
  const areLists = Array.isArray(before) && Array.isArray(after) && before.length === after.length;
  const [old, now] = [new Map(Object.entries(before ?? {})), new Map(Object.entries(after ?? {}))];
  const isKept = [...now.keys()].some((key) => old.has(key));
  if (!isKept || !(areMaps || areLists)) return yield { path, isNew: before === undefined };
  for (const key of new Set([...old.keys(), ...now.keys()])) {
    yield* differences(old.get(key), now.get(key), pointer(path, key));
  }
}

/** The lines of a text, from 0, that may not be the same when a pipeline has become another. */
function touchedLines(pipeline: Pipeline, wanted: object): Set<number> {
  const touched = new Set<number>();
  for (const { path, isNew } of differences(jsonOf(pipeline), wanted)) {
    const whole = path.startsWith("/platforms") ? pipeline.platformPath + path : path;
    const [key, value] = [locate(pipeline, whole, "key"), locate(pipeline, whole)];
    const from = Math.min(key?.start.line ?? 0, value?.start.line ?? 0);
    const to = value?.end.line ?? 0;
    // What is new is put behind the lines of what it is put into.
    for (let line = from; line <= (isNew && from < to ? 0 : to); line++) touched.add(line - 1);
  }
  return touched;
}

/** The lines of a text without the commas that a line gets when another comes to stand behind it. */
const linesOf = (text: string): string[] => text.split(/,?\r?\n/);

/** The first line that a change may not touch and that is not, in this order, in the other text. */
function lostLine(text: string, other: string, touched: ReadonlySet<number>): string | undefined {
  const others = linesOf(other);
  let next = 0;
  return linesOf(text).find((line, index) => {
    // Empty lines may belong to the text before them.
    if (touched.has(index) || line.trim() === "") return false;
    next = others.indexOf(line, next) + 1;
    return next === 0;
  });
}

const asJson = (text: string): string => printPipeline(parse(text), { format: "json" });
const fourBlanks = { ofMaps: "    ", ofLists: "    ", literals: "any" } as const;
const forms: readonly { readonly name: string; readonly of: (text: string) => string }[] = [
  { name: "as it is", of: (text) => text },
  { name: "with CR LF", of: (text) => text.replaceAll("\r\n", "\n").replaceAll("\n", "\r\n") },
  { name: "as JSON", of: asJson },
  { name: "as JSON in one line", of: (text) => JSON.stringify(JSON.parse(asJson(text))) },
  {
    name: "as JSON indented by tabs, with CR LF",
    of: (text) => JSON.stringify(JSON.parse(asJson(text)), undefined, "\t").replaceAll("\n", "\r\n"),
  },
  {
    name: "indented by four",
    of: (text) => yamlLines(JSON.parse(asJson(text)), "", "", fourBlanks).join("\n"),
  },
  { name: "as YAML in brackets", of: (text) => `# The only comment.\n${yamlLine(JSON.parse(asJson(text)))}` },
];

describe.each(corpus("valid"))("$name: changes stay where they belong", ({ name, text: original }) => {
  test.each(forms)("$name", ({ of }) => {
    const text = of(original);
    const lineEnds = new Set(text.match(/\r?\n/g));
    for (let seed = 0; seed < changesEach; seed++) {
      const change = randomChange(name.length * 1000 + seed);
      const before = parse(text);
      const after = structuredClone(before);
      change(after);
      const wanted = jsonOf(after);
      const result = rewritePipeline(text, change);
      const found = result.ok ? result : expect.unreachable(result.problems[0]?.message);
      expect(jsonOf(parse(found.text)), `seed ${seed}`).toEqual(wanted);
      expect(found.keptComments, `seed ${seed}`).toBe(true);
      const touched = touchedLines(before, wanted);
      expect(lostLine(text, found.text, touched), `seed ${seed}`).toBeUndefined();
      expect(new Set([...(found.text.match(/\r?\n/g) ?? []), ...lineEnds]).size).toBeLessThanOrEqual(1);
    }
  });
});
