import type { PipelineContainerSpec } from "@wye/pipeline-spec";

/** How long the texts of a program are together. */
export function programLength({ command, args }: PipelineContainerSpec): number {
  let length = 0;
  for (const text of command) length += text.length;
  for (const text of args) length += text.length;
  return length;
}

/** The same for equal containers, and hardly ever for others: most have one image, and programs of different lengths. */
export function containerOutline(container: PipelineContainerSpec): string {
  const { image, command, args, env } = container;
  return `${command.length} ${args.length} ${env.length} ${programLength(container)} ${image}`;
}
