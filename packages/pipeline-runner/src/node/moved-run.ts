import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { isObject } from "@wye/pipeline-spec";
import { workspaceOf } from "./run-folder.js";

/** Where the folder of a run was when its journal was written; undefined for what says nothing of it. */
export function formerFolder(head: unknown): string | undefined {
  const options = isObject(head) ? head.options : undefined;
  const facts = isObject(options) ? options.facts : undefined;
  const workspace = isObject(facts) ? facts.workspace_path : undefined;
  return typeof workspace === "string" ? dirname(workspace) : undefined;
}

/** How a run was started, as if it had been in this folder from the beginning. The run keeps its name. */
export function headIn(folder: string, head: unknown): unknown {
  if (!isObject(head) || !isObject(head.options) || !isObject(head.options.facts)) return head;
  const facts = { ...head.options.facts, workspace_path: workspaceOf(folder) };
  return { ...head, options: { ...head.options, pipelineRoot: dirname(folder), facts } };
}

/**
 * Changes lines of a journal: texts that are paths or URLs in the one folder become those in the other. Lines are changed as texts, since
 * what tasks have made may be nested deeper than functions can call themselves; such a text begins where JSON has no quote but the opening
 * one, behind a bracket, a comma or a colon.
 */
export function moveLines(from: string, to: string): (line: string) => string {
  const pairs = [
    [from, to],
    [pathToFileURL(from).href, pathToFileURL(to).href],
  ].map(
    ([old = "", now = ""]) =>
      [RegExp(`(?<=[[,:]")${literal(inJson(old))}(?=[/"])`, "g"), inJson(now)] as const,
  );
  return (line) => pairs.reduce((text, [old, now]) => text.replace(old, () => now), line);
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
