import type { ExecutorNode, PipelineContainerSpec, PipelineGraph } from "@wye/pipeline-spec";
import { nearest } from "./suggest.js";

/** An executor that is a container. */
export interface ContainerNode {
  readonly executor: ExecutorNode;
  readonly path: string;
  readonly spec: PipelineContainerSpec;
}

/** All executors that are containers. */
export function containers({ executors }: PipelineGraph): readonly ContainerNode[] {
  const found: ContainerNode[] = [];
  for (const executor of executors) {
    const { spec, path } = executor;
    if (spec.spec?.$case !== "container") continue;
    found.push({ executor, path: `${path}/container`, spec: spec.spec.value });
  }
  return found;
}

/** True when one of the texts that its program is given satisfies a test. */
export function isGiven({ spec }: ContainerNode, test: (text: string) => boolean): boolean {
  return spec.command.some(test) || spec.args.some(test) || spec.env.some(({ value }) => test(value));
}

const pseudoImages = ["argostub/createpvc", "argostub/deletepvc"];

/** True for images that the driver acts upon instead of running them: they make and delete volumes. */
export const isPseudoImage = (image: string): boolean => pseudoImages.includes(image);

/** The image of this kind that somebody has misspelt, or put a registry before, or a tag behind. */
export function pseudoImageIn(image: string): string | undefined {
  return (
    pseudoImages.find((one) => new RegExp(`(?:^|/)${one}(?:[:@]|$)`).test(image)) ??
    (image.startsWith("argostub/") ? nearest(image, pseudoImages) : undefined)
  );
}
