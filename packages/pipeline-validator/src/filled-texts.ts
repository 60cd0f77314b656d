import type { PipelineGraph, TaskNode } from "@wye/pipeline-spec";
import { placeholderTexts } from "./placeholder-uses.js";

/** What a task gives for an image, an amount or an accelerator as a constant, in the place of a placeholder. */
export interface FilledText {
  /** Where the constant stands. */
  readonly at: string;
  readonly value: string;
  /** The field of the container, or of its resources, that is filled in. */
  readonly field: string;
  readonly task: TaskNode;
}

/** What is certain to be filled in for placeholders that are whole texts. */
export function filledTexts(index: PipelineGraph): readonly FilledText[] {
  const found: FilledText[] = [];
  for (const { site, at, text, placeholders, components } of index.once(placeholderTexts)) {
    const [first] = placeholders;
    if (site !== "whole-text" || first?.placeholder.kind !== "input-parameter") continue;
    if (first.span.start !== 0 || first.span.end !== text.length) continue;
    const { name } = first.placeholder;
    const field = at.slice(at.lastIndexOf("/") + 1);
    for (const task of components.flatMap(({ uses }) => uses)) {
      const input = task.input("parameter", name);
      if (input?.source?.kind !== "constant" || input.spec.parameterExpressionSelector !== "") continue;
      const { at: place, value } = input.source;
      // Facts of the run are not known yet.
      if (typeof value === "string" && !value.includes("{{")) found.push({ at: place, value, field, task });
    }
  }
  return found;
}
