import { describe, expect, test } from "vitest";
import { commentOffsets, type Pipeline, parsePipeline, rewritePipeline, writeJson } from "../src/index.js";
import { jsonEquals } from "../src/json-value.js";
import { yamlLines } from "../src/print-yaml.js";
import { corpus } from "./corpus.js";
import { type SingleEdit, singleEdit } from "./single-edits.js";
import { type Marked, marksOf } from "./yaml-marks.js";
import { randomNumbers } from "./yaml-mutations.js";
import { VariedYaml, withComments } from "./yaml-variants.js";

const rounds = process.env.WYE_ALL_ROUNDS ? 3_000 : 50;

function parse(text: string): Pipeline {
  const parsed = parsePipeline(text);
  return parsed.ok ? parsed.pipeline : expect.unreachable(JSON.stringify(parsed.problems[0]));
}

function jsonOf({ spec, deployment, platform }: Pick<Pipeline, "spec" | "deployment" | "platform">) {
  return [
    writeJson("PipelineSpec", { ...spec, deploymentSpec: undefined }),
    writeJson("PipelineDeploymentConfig", deployment),
    platform && writeJson("PlatformSpec", platform),
  ];
}

const files = corpus("valid").filter(({ text }) => text.length < 12_000 && !text.includes("\r"));

/** A file as somebody could have it, of the same meaning as one of the corpus. */
function variant(random: (below: number) => number): string {
  const { text: original } = files[random(files.length)] ?? expect.unreachable("there are files");
  const kind = random(4);
  const { spec, deployment } = parse(original);
  const [json, executors] = jsonOf({ spec, deployment, platform: undefined });
  const value = { ...(json as object), deploymentSpec: executors };
  const text =
    kind === 0
      ? original
      : kind === 1
        ? `${yamlLines(value, "", "", { ofMaps: "  ", ofLists: "  ", literals: "any" }).join("\n")}\n`
        : new VariedYaml(random, kind === 3).document(value);
  const commented = withComments(text, random);
  if (!parsePipeline(commented).ok) return text;
  const whole = random(8) === 0 ? commented.replace(/\n$/, "") : commented;
  return random(4) === 0 ? whole.replaceAll("\n", "\r\n") : whole;
}

const keyOf = ({ path, end }: Pick<Marked, "path" | "end">): string => JSON.stringify([...path, end]);

/** A path after an edit; nothing for what is removed, or inside of what is set. */
function movedPath(
  path: Marked["path"],
  { kind, path: edited, name: newName = "" }: SingleEdit,
): Marked["path"] | undefined {
  const [, ...inside] = path;
  const last = edited.at(-1) ?? "";
  const parent = edited.slice(0, -1);
  const own = inside[parent.length];
  if (inside.length < edited.length || !parent.every((name, index) => String(inside[index]) === String(name)))
    return path;
  if (String(own) === String(last) && kind === "delete") return undefined;
  if (String(own) === String(last) && kind === "set" && inside.length > edited.length) return undefined;
  if (String(own) === String(last) && kind === "rename")
    return [...path.slice(0, parent.length + 1), newName, ...path.slice(parent.length + 2)];
  if (typeof own !== "number" || typeof last !== "number" || kind === "set" || kind === "rename") return path;
  const step = kind === "insert" ? (own >= last ? 1 : 0) : own > last ? -1 : 0;
  return [...path.slice(0, parent.length + 1), own + step, ...path.slice(parent.length + 2)];
}

/** A comment, and what stands beside it in its line, or else what comes next below it. */
interface Comment {
  readonly text: string;
  readonly at: number;
  readonly isOwn: boolean;
  readonly marks: readonly Marked[];
}

/** A file, and what stands in its lines. */
interface MarkedFile {
  readonly text: string;
  readonly marks: ReadonlyMap<number, readonly Marked[]>;
}

const markedFile = (text: string): MarkedFile => ({ text, marks: marksOf(text) });

function commentsOf({ text, marks }: MarkedFile): Map<string, Comment> {
  const lines = text.split("\n");
  let [line, at] = [0, 0];
  const comments = new Map<string, Comment>();
  for (const offset of commentOffsets(text)) {
    while (at + (lines[line]?.length ?? 0) < offset) at += (lines[line++]?.length ?? 0) + 1;
    const isOwn = text.slice(at, offset).trim() === "";
    let next = line;
    while (isOwn && next < lines.length && /^\s*(#|$)/.test(lines[next] ?? "")) next++;
    const found = marks.get(next) ?? [];
    const comment = (lines[line] ?? "").slice(offset - at).trim();
    comments.set(comment, { text: comment, at: offset, isOwn, marks: isOwn ? found.slice(0, 1) : found });
  }
  return comments;
}

function isInside(path: Marked["path"], { path: edited, kind }: SingleEdit): boolean {
  if (kind === "insert" || (kind === "rename" && path.length > edited.length + 1)) return false;
  return edited.every((name, index) => String(path[index + 1]) === String(name));
}

/** What is wrong with the comments of a text after an edit, if anything is. */
function* wrongComments(before: MarkedFile, after: MarkedFile, edit: SingleEdit): Generator<string> {
  const [old, now] = [commentsOf(before), commentsOf(after)];
  const isMark = new Set([...after.marks.values()].flat().map(keyOf));
  const wasMark = new Map(
    [...before.marks.values()].flat().flatMap((mark) => {
      const path = movedPath(mark.path, edit);
      return path === undefined ? [] : [[keyOf({ ...mark, path }), mark] as const];
    }),
  );
  const inside = [...before.marks.values()].flat().filter(({ path }) => isInside(path, edit));
  const [from, to] = [inside[0]?.at ?? Infinity, inside.at(-1)?.at ?? 0];
  for (const { text, at, isOwn, marks } of old.values()) {
    // What stands inside of what is changed goes with it.
    if (from < at && at < to) continue;
    const kept = marks
      .flatMap(({ path, end }) => {
        const moved = movedPath(path, edit);
        return moved === undefined ? [] : [keyOf({ path: moved, end })];
      })
      .filter((key) => isMark.has(key));
    const found = now.get(text);
    if (found === undefined) {
      const isFree = isOwn && !marks.some(({ path }) => isInside(path, edit));
      if (kept.length > 0 || isFree) yield `lost: ${text}`;
      continue;
    }
    const beside = found.marks.map(keyOf).filter((key) => wasMark.has(key));
    if (isOwn !== found.isOwn && kept.length > 0) yield `no longer in a line like before: ${text}`;
    else if (kept.some((key) => !beside.includes(key)) && !(isOwn && kept.length === 0))
      yield `moved: ${text} was at ${kept} is at ${beside}`;
    else if (!isOwn && kept.length === 0 && beside.length > 0)
      yield `came to: ${text} was at ${kept} is at ${beside}`;
  }
}

/** Lines that are not there any more, in their order, although the edit is elsewhere. */
function* lostLines(before: MarkedFile, after: MarkedFile, edit: SingleEdit): Generator<string> {
  const { marks } = before;
  const touched = new Set<number>();
  const parent = edit.path.slice(0, -1);
  const within: number[] = [];
  let [previous, next]: (number | undefined)[] = [];
  for (const [line, all] of marks) {
    for (const { path } of all) {
      const [, ...inside] = path;
      const isBeside =
        inside.length > parent.length && parent.every((name, i) => String(inside[i]) === String(name));
      if (isInside(path, edit)) within.push(line);
      else if (isBeside && within.length === 0) previous = Math.max(previous ?? 0, line);
      else if (isBeside) next = Math.min(next ?? line, line);
    }
  }
  const from = Math.min(...within);
  const lines = before.text.split(/\r?\n/);
  if (within.length > 0) {
    let to = Math.max(...within);
    // A text in lines goes on below its mark.
    while (to + 1 < lines.length && !marks.has(to + 1) && !/^\s*#/.test(lines[to + 1] ?? "")) to++;
    for (let line = from; line <= to; line++) touched.add(line);
  }
  if (previous !== undefined) touched.add(previous);
  if (next !== undefined) touched.add(next);
  const others = after.text.split(/\r?\n/);
  let at = 0;
  for (const [index, line] of lines.entries()) {
    if (touched.has(index) || line.trim() === "" || /\*a\d/.test(line)) continue;
    const found = others.indexOf(line, at);
    if (found === -1) yield `line ${index + 1} lost: ${line}`;
    else at = found + 1;
  }
}

function check(seed: number): string | undefined {
  const random = randomNumbers(seed * 7919 + 17);
  const text = variant(random);
  const before = parse(text);
  const after = structuredClone(before);
  const state = random(1_000_000);
  const edit = singleEdit(after, randomNumbers(state));
  if (edit === undefined) return undefined;
  const result = rewritePipeline(text, (draft) => void singleEdit(draft, randomNumbers(state)));
  if (!result.ok) return `refused: ${result.problems[0]?.message}`;
  if (!jsonEquals(jsonOf(parse(result.text)), jsonOf(after))) return "another value";
  if (!result.keptComments) return `printed anew: ${edit.kind} ${edit.path.join("/")}`;
  const [old, now] = [markedFile(text), markedFile(result.text)];
  const wrong = [...wrongComments(old, now, edit), ...lostLines(old, now, edit)];
  if (text.includes("\r") && /[^\r]\n/.test(result.text)) wrong.push("a line without CR");
  if (wrong.length === 0) return undefined;
  return `${edit.kind} ${edit.path.join("/")}\n${wrong.slice(0, 3).join("\n")}`;
}

describe("one change keeps comments beside what they stand beside", () => {
  const size = 25;
  for (let first = 0; first < rounds; first += size) {
    test(`seeds from ${first}`, { timeout: 120_000 }, () => {
      const wrong: string[] = [];
      for (let seed = first; seed < first + size; seed++) {
        const found = check(seed);
        if (found !== undefined) wrong.push(`seed ${seed}: ${found}`);
      }
      expect(wrong).toEqual([]);
    });
  }
});
