import { readFileSync } from "node:fs";
import { createFileRegistry, type DescMessage, fromBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import protobuf from "protobufjs";

const at = (path: string) => new URL(`../testdata/${path}`, import.meta.url);
const descriptors = readFileSync(at("descriptors.binpb"));

/** PipelineSpec, as `@bufbuild/protobuf` knows it. */
export function bufbuildSpec(): DescMessage {
  const desc = createFileRegistry(fromBinary(FileDescriptorSetSchema, descriptors)).getMessage(
    "ml_pipelines.PipelineSpec",
  );
  if (desc === undefined) throw new Error("there is no PipelineSpec");
  return desc;
}

/** PipelineSpec, as `protobufjs` knows it. */
export function protobufjsSpec(): protobuf.Type {
  const proto = (name: string) => readFileSync(new URL(`../../../proto/${name}`, import.meta.url), "utf8");
  const root = new protobuf.Root();
  protobuf.parse(proto("google/rpc/status.proto"), root);
  protobuf.parse(proto("ml_pipelines/pipeline_spec.proto"), root);
  for (const name of ["any", "duration", "struct"]) {
    const { nested } = protobuf.common.get(`google/protobuf/${name}.proto`) ?? {};
    if (nested !== undefined) root.addJSON(nested);
  }
  return root.resolveAll().lookupType("ml_pipelines.PipelineSpec");
}

/** The largest file of the corpus. */
export const largest: string = readFileSync(at("pipelines/valid/critical/flip_coin.yaml"), "utf8");

/** A specification of about 1 MB in JSON, with as many tasks as given. */
export function generated(tasks: number): object {
  const list = Array.from({ length: tasks }, (_, i) => i);
  const components = Object.fromEntries(
    list.slice(0, 50).map((i) => [
      `comp-${i}`,
      {
        executorLabel: `exec-${i}`,
        inputDefinitions: {
          parameters: {
            a: { parameterType: "STRING" },
            b: { parameterType: "NUMBER_INTEGER", isOptional: true },
          },
        },
        outputDefinitions: { parameters: { Output: { parameterType: "NUMBER_INTEGER" } } },
      },
    ]),
  );
  const executors = Object.fromEntries(
    list.slice(0, 50).map((i) => [
      `exec-${i}`,
      {
        container: {
          image: "python:3.12",
          command: ["sh", "-ec", "import sys\nprint(sys.argv)\n"],
          args: ["--a", "{{$.inputs.parameters['a']}}"],
        },
      },
    ]),
  );
  const taskOf = (i: number) => ({
    componentRef: { name: `comp-${i % 50}` },
    dependentTasks: [`task-${i >> 1}`],
    inputs: {
      parameters: {
        a: { runtimeValue: { constant: `value ${i}` } },
        b: { taskOutputParameter: { outputParameterKey: "Output", producerTask: `task-${i >> 1}` } },
      },
    },
  });
  return {
    components,
    deploymentSpec: { executors },
    pipelineInfo: { name: "generated" },
    root: { dag: { tasks: Object.fromEntries(list.map((i) => [`task-${i}`, taskOf(i)])) } },
    schemaVersion: "2.1.0",
    sdkVersion: "kfp-2.15.2",
  };
}
