import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parsePipeline } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { type ArgoResult, type JsonObject, toArgoWorkflow } from "../src/index.js";

// What the calls of the back end make of a patch, as scripts/argo records it.

interface Recorded {
  readonly patch: JsonObject;
  readonly refused?: true;
  /** The fields that the patch names, as they are afterwards. */
  readonly becomes?: JsonObject;
}

const recorded: { readonly pipeline: string; readonly patches: readonly Recorded[] } = JSON.parse(
  readFileSync(join(import.meta.dirname, "../testdata/patches.json"), "utf8"),
);
const parsed = parsePipeline(recorded.pipeline);
if (!parsed.ok) throw new Error("the pipeline cannot be read");
const { pipeline } = parsed;

const exported = (specPatch: JsonObject): ArgoResult => toArgoWorkflow(pipeline, { specPatch });

/** What a patch names of the workflow. */
function named(patch: JsonObject, result: ArgoResult): JsonObject {
  if (!result.ok) expect.unreachable(JSON.stringify(result.problems));
  const whole = JSON.parse(JSON.stringify(result.workflow.spec));
  const templates: readonly JsonObject[] = Array.isArray(patch.templates) ? patch.templates : [];
  const names = templates.map(({ name }) => name);
  const fields = Object.keys(patch).filter((name) => Object.hasOwn(whole, name));
  return Object.fromEntries(
    fields.map((field) => [
      field,
      field === "templates"
        ? whole.templates.filter(({ name }: JsonObject) => names.includes(name))
        : whole[field],
    ]),
  );
}

const messagesOf = (patch: JsonObject) => exported(patch).problems.map(({ message }) => message);

/** What is refused here although the back end takes it: it makes something else of it than anybody means. */
const meansElse = /mixes up|in the back end this keeps|is written|by which they are found|resources of one/;
const meansNothing = /takes a text, a number, or true or false there/;
const taken = recorded.patches.filter(({ refused }) => refused !== true);
const isRefused = ({ patch }: Recorded) => !exported(patch).ok;

describe("what the back end refuses", () => {
  for (const { patch } of recorded.patches.filter(({ refused }) => refused === true)) {
    test(JSON.stringify(patch), () => {
      expect(exported(patch).problems).toContainEqual(
        expect.objectContaining({
          code: "invalid-spec-patch",
          message: expect.stringMatching(/^specPatch, at /),
        }),
      );
    });
  }
});

describe("what the back end makes of a patch", () => {
  for (const { patch, becomes } of taken.filter((one) => !isRefused(one))) {
    test(JSON.stringify(patch), () => expect(named(patch, exported(patch))).toEqual(becomes));
  }
});

describe("what the back end takes for something else", () => {
  for (const { patch } of taken.filter(isRefused)) {
    test(JSON.stringify(patch), () => {
      expect(messagesOf(patch)).toContainEqual(
        expect.stringMatching(new RegExp(`${meansElse.source}|${meansNothing.source}`)),
      );
    });
  }
});

test("no patch is left out", () => {
  const refusedHere = taken.filter(isRefused).length;
  expect([recorded.patches.length, taken.length, refusedHere]).toEqual([185, 110, 15]);
});
