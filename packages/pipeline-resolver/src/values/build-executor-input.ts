import {
  ArtifactList,
  type ComponentSpec,
  checkArguments,
  checkOptions,
  ExecutorInput,
  plainValue,
  RuntimeArtifact,
} from "@wye/pipeline-spec";
import { checkInputs } from "./check-values.js";
import type { TaskInputs } from "./task-values.js";

/** Where a task writes. */
export interface OutputPlaces {
  /** The URI of an output artifact: the folder of the execution with the key behind it, see `taskRoot`. */
  readonly artifactUri: (key: string) => string;
  /** The file of an output parameter; `/tmp/kfp/outputs/<key>` by default, as on the back end. */
  readonly parameterFile?: (key: string) => string;
  /** The file that takes everything else; `/tmp/kfp_outputs/output_metadata.json` by default. */
  readonly outputFile?: string;
}

/** The message that tells a container its inputs and where its outputs go. */
export function buildExecutorInput(
  component: ComponentSpec,
  inputs: TaskInputs,
  places: OutputPlaces,
): ExecutorInput {
  checkArguments("buildExecutorInput", "object", { component, places });
  checkInputs("buildExecutorInput", inputs);
  checkOptions("buildExecutorInput", places, {
    artifactUri: "any",
    parameterFile: "any",
    outputFile: "any",
  });
  const {
    artifactUri,
    parameterFile = (key: string) => `/tmp/kfp/outputs/${key}`,
    outputFile = "/tmp/kfp_outputs/output_metadata.json",
  } = places;
  checkArguments("buildExecutorInput", "function", { artifactUri, parameterFile });
  checkArguments("buildExecutorInput", "text", { outputFile });
  const { parameters = {}, artifacts = {} } = component.outputDefinitions ?? {};
  const entries = <T, R>(map: { readonly [key: string]: T }, convert: (key: string, value: T) => R) =>
    Object.fromEntries(Object.entries(map).map(([key, value]) => [key, convert(key, value)]));
  return ExecutorInput.create({
    inputs: { parameterValues: inputs.parameters, artifacts: inputs.artifacts },
    outputs: {
      parameters: entries(parameters, (key) => ({ outputFile: parameterFile(key) })),
      artifacts: entries(artifacts, (key, { artifactType, metadata, properties, customProperties }) =>
        ArtifactList.create({
          artifacts: [
            RuntimeArtifact.create({
              name: key,
              uri: artifactUri(key),
              type: artifactType,
              metadata: initialMetadata(metadata, { ...properties, ...customProperties }),
            }),
          ],
        }),
      ),
      outputFile,
    },
  });
}

type OldProperties = NonNullable<ComponentSpec["outputDefinitions"]>["artifacts"][string]["properties"];

/** The metadata that a component declares; constants of the old forms count too. */
function initialMetadata(
  metadata: { readonly [key: string]: unknown } | undefined,
  old: OldProperties,
): { [key: string]: unknown } | undefined {
  const constants = Object.entries(old).flatMap(([key, { value }]) => {
    if (value?.$case === "constant") return [[key, value.value] as const];
    return value?.$case === "constantValue" ? [[key, plainValue(value.value)] as const] : [];
  });
  if (!metadata && constants.length === 0) return undefined;
  return { ...Object.fromEntries(constants), ...metadata };
}
