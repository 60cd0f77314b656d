import { readFileSync } from "node:fs";
import {
  createFileRegistry,
  type DescMessage,
  equals,
  fromBinary,
  fromJson,
  type JsonValue,
  type Message,
  toBinary,
  toJson,
} from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { codecs } from "../src/gen/codecs.js";
import { table } from "../src/gen/table.js";
import { JsonReaders } from "../src/json-reader.js";
import { JsonWriters, JsonWriting } from "../src/json-writer.js";
import { type MessageShape, parseTable } from "../src/message-table.js";
import type { Problem } from "../src/problem.js";
import { Reading, type ReadOptions } from "../src/reading.js";
import { codecs as trickyCodecs } from "../testdata/tricky/gen/codecs.js";
import { table as trickyTable } from "../testdata/tricky/gen/table.js";

/** A message type in both worlds: ours, and the reflection of `@bufbuild/protobuf` over the image that buf made. */
export interface TypeUnderTest {
  readonly name: string;
  readonly ours: OurType;
  readonly oracle: OracleType;
}

export interface OurType {
  readonly shape: MessageShape;
  readonly codec: { encode(message: unknown): { finish(): Uint8Array }; decode(bytes: Uint8Array): unknown };
  readJson(
    json: unknown,
    options?: ReadOptions,
  ): { value: unknown; problems: readonly Problem[]; ok: boolean };
  writeJson(message: unknown): JsonValue;
}

export class OracleType {
  readonly desc: DescMessage;
  constructor(desc: DescMessage) {
    this.desc = desc;
  }
  /** Throws what does not fit. */
  readJson(json: unknown, ignoreUnknownFields = false): Message {
    return fromJson(this.desc, json as JsonValue, { ignoreUnknownFields });
  }
  writeJson(message: Message): JsonValue {
    return toJson(this.desc, message);
  }
  encode(message: Message): Uint8Array {
    return toBinary(this.desc, message);
  }
  decode(bytes: Uint8Array): Message {
    return fromBinary(this.desc, bytes);
  }
  equals(a: Message, b: Message): boolean {
    return equals(this.desc, a, b);
  }
}

const readers = new JsonReaders();
const writers = new JsonWriters();

function ourType(shape: MessageShape, codec: unknown): OurType {
  return {
    shape,
    codec: codec as OurType["codec"],
    readJson(json, options) {
      const reading = new Reading(options);
      const value = readers.message(shape)(json, reading);
      return { value, problems: reading.list(), ok: !reading.failed && value !== undefined };
    },
    writeJson: (message) => writers.message(shape)(message, new JsonWriting()) as JsonValue,
  };
}

/** Messages that are not called by the last part of their name. */
const otherNames: Readonly<Record<string, string>> = {
  "ml_pipelines.ComponentInputsSpec.ArtifactSpec": "ComponentInputArtifactSpec",
  "ml_pipelines.ComponentInputsSpec.ParameterSpec": "ComponentInputParameterSpec",
  "ml_pipelines.ComponentOutputsSpec.ArtifactSpec": "ComponentOutputArtifactSpec",
  "ml_pipelines.ComponentOutputsSpec.ParameterSpec": "ComponentOutputParameterSpec",
  "ml_pipelines.ArtifactIteratorSpec.ItemsSpec": "ArtifactItemsSpec",
  "ml_pipelines.ParameterIteratorSpec.ItemsSpec": "ParameterItemsSpec",
  "ml_pipelines.PipelineDeploymentConfig.PipelineContainerSpec.Lifecycle.Exec": "LifecycleExec",
  "ml_pipelines.ExecutorInput.Inputs": "ExecutorInputInputs",
  "ml_pipelines.ExecutorInput.Outputs": "ExecutorInputOutputs",
  "kfp_kubernetes.InitContainer.EnvVar": "InitContainerEnvVar",
  "kfp_kubernetes.InitContainer.VolumeMount": "InitContainerVolumeMount",
  "kfp_kubernetes.InitContainer.ResourceRequirements": "InitContainerResources",
};

function typesOf(descriptors: string, tableText: string, codecsOf: Record<string, unknown>): TypeUnderTest[] {
  const bytes = readFileSync(new URL(descriptors, import.meta.url));
  const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, bytes));
  const shapes = parseTable(tableText);
  const messages = [...registry].filter((type) => type.kind === "message");
  // What remains without a field only gives a scope to an enum.
  const own = messages.filter(
    (desc) => !desc.typeName.startsWith("google.protobuf.") && desc.fields.length > 0,
  );
  return own.map((desc) => {
    const name = otherNames[desc.typeName] ?? desc.name;
    const shape = shapes.get(name);
    const codec = codecsOf[name];
    if (shape?.kind !== "message" || codec === undefined) throw new Error(`${desc.typeName} is missing`);
    return { name, ours: ourType(shape, codec), oracle: new OracleType(desc) };
  });
}

/** Every message of the package. */
export const pipelineTypes: readonly TypeUnderTest[] = typesOf(
  "../testdata/descriptors.binpb",
  table,
  codecs,
);

/** A message with a field of every kind. */
const trickyTypes: readonly TypeUnderTest[] = typesOf(
  "../testdata/tricky/descriptors.binpb",
  trickyTable,
  trickyCodecs,
);

export const tricky: TypeUnderTest = trickyTypes.find(({ name }) => name === "Tricky")!;

export function pipelineType(name: string): TypeUnderTest {
  const found = pipelineTypes.find((type) => type.name === name);
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
}
