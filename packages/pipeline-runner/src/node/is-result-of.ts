import type { TaskOutputs } from "@wye/pipeline-resolver";
import { type ComponentSpec, jsonEquals } from "@wye/pipeline-spec";
import { conversionsOf } from "./collect-results.js";

/**
 * Whether outputs are what a component makes: all that it declares, and of the types that it declares. What was kept may be of another
 * version of it, or be damaged.
 */
export function isResultOf(definition: ComponentSpec, { parameters, artifacts }: TaskOutputs): boolean {
  const declared = definition.outputDefinitions ?? { parameters: {}, artifacts: {} };
  if (Object.keys(declared.parameters).some((name) => !Object.hasOwn(parameters, name))) return false;
  if (conversionsOf(definition, parameters).mistyped !== undefined) return false;
  return Object.entries(declared.artifacts).every(([name, { artifactType }]) => {
    const made = Object.hasOwn(artifacts, name) ? artifacts[name]?.artifacts : undefined;
    // An executor need not say of which type an artifact is.
    return made?.every(({ type }) => type === undefined || jsonEquals(type, plain(artifactType)));
  });
}

/** A message as it is in a file. */
const plain = (message: unknown): unknown => JSON.parse(JSON.stringify(message ?? null));
