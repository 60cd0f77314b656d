import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type ParseResult, parsePipeline } from "@wye/pipeline-spec";
import { parse } from "yaml";
import type { ArgoOptions } from "../src/index.js";

const folder = join(import.meta.dirname, "../testdata");

/** One pair of the corpus: an input with options, and the workflow or the refusal of the back end. */
export interface Case {
  readonly name: string;
  readonly input: string;
  readonly options?: ArgoOptions;
  readonly workflow?: string;
  readonly error?: string;
  readonly argoRefuses?: string;
  readonly run?: CaseRun;
}

interface CaseRun {
  readonly id: string;
  readonly displayName: string;
  readonly createdAtSeconds: number;
  readonly namespace?: string;
  readonly serviceAccountName?: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly pipelineRoot?: string;
}

/** The pairs of the corpus. */
export const cases: readonly Case[] = JSON.parse(readFileSync(join(folder, "cases.json"), "utf8"));

/** The text of an input: one of this package, or one that the packages of pipelines share. */
function inputText({ input }: Case): string {
  const shared = join(import.meta.dirname, "../../pipeline-spec/testdata");
  const path = input.startsWith("../") ? join(shared, input.slice(3)) : join(folder, input);
  return readFileSync(path, "utf8");
}

/** The input of a case, as far as it can be read. */
export function parsedInput(one: Case): ParseResult {
  return parsePipeline(inputText(one));
}

/** The workflow that the back end makes. */
export function expectedWorkflow(workflow: string): unknown {
  return parse(readFileSync(join(folder, workflow), "utf8"));
}
