// @ts-check
// The TypeScript name of each message and enum: the last part of its name in the proto file, unless that would be
// ambiguous or unclear. Where a message only gives a scope to an enum, the enum gets the plain name.

/** @type {Record<string, string>} */
const exceptions = {
  "ComponentInputsSpec.ArtifactSpec": "ComponentInputArtifactSpec",
  "ComponentInputsSpec.ParameterSpec": "ComponentInputParameterSpec",
  "ComponentOutputsSpec.ArtifactSpec": "ComponentOutputArtifactSpec",
  "ComponentOutputsSpec.ParameterSpec": "ComponentOutputParameterSpec",
  "ArtifactIteratorSpec.ItemsSpec": "ArtifactItemsSpec",
  "ParameterIteratorSpec.ItemsSpec": "ParameterItemsSpec",
  "PipelineDeploymentConfig.PipelineContainerSpec.Lifecycle.Exec": "LifecycleExec",
  "ExecutorInput.Inputs": "ExecutorInputInputs",
  "ExecutorInput.Outputs": "ExecutorInputOutputs",
  PrimitiveType: "PrimitiveTypeScope",
  "PrimitiveType.PrimitiveTypeEnum": "PrimitiveType",
  ParameterType: "ParameterTypeScope",
  "ParameterType.ParameterTypeEnum": "ParameterType",
  TaskConfigPassthroughType: "TaskConfigPassthroughTypeScope",
  "TaskConfigPassthroughType.TaskConfigPassthroughTypeEnum": "TaskConfigPassthroughType",
};

/**
 * @typedef {{ name: string, enumType?: { name: string }[], nestedType?: MessageDescriptor[], options?: { mapEntry?: boolean } }} MessageDescriptor
 * @typedef {{ name: string, package: string, messageType?: MessageDescriptor[], enumType?: { name: string }[] }} FileDescriptor
 */

/**
 * TypeScript names by full proto name, such as `ml_pipelines.PipelineJob.RuntimeConfig` → `RuntimeConfig`.
 *
 * @param {FileDescriptor} file
 * @returns {Map<string, string>}
 */
export function publicNames(file) {
  const names = new Map();
  const taken = new Map();
  const add = (/** @type {string} */ path) => {
    const name = exceptions[path] ?? path.slice(path.lastIndexOf(".") + 1);
    if (taken.has(name)) throw new Error(`${path} and ${taken.get(name)} would both be called ${name}`);
    taken.set(name, path);
    names.set(`${file.package}.${path}`, name);
  };
  const visit = (/** @type {MessageDescriptor} */ message, /** @type {string} */ scope) => {
    if (message.options?.mapEntry) return;
    add(scope + message.name);
    for (const { name } of message.enumType ?? []) add(`${scope}${message.name}.${name}`);
    for (const nested of message.nestedType ?? []) visit(nested, `${scope}${message.name}.`);
  };
  for (const message of file.messageType ?? []) visit(message, "");
  for (const { name } of file.enumType ?? []) add(name);
  return names;
}

/**
 * Renames the identifiers of a generated file.
 *
 * @param {string} source
 * @param {Map<string, string>} names  as `publicNames` gives them
 * @param {string} packageName  prefix of the full names
 */
export function rename(source, names, packageName) {
  const byGenerated = new Map(
    [...names].map(([full, name]) => [full.slice(packageName.length + 1).replaceAll(".", "_"), name]),
  );
  return source.replace(/\b[A-Z]\w*\b/g, (word) => byGenerated.get(word) ?? word);
}

/**
 * Takes out the types that ts-proto writes into every file, in favour of those of src/message-codec.ts.
 *
 * @param {string} source
 * @param {string} path  where the file imports them from
 */
export function shareTypes(source, path) {
  const shared = source
    .replace(/^type Builtin = .*\n\n/m, "")
    .replace(/^type DeepPartial<T> = [\s\S]*?\n\n/m, "")
    .replace(/^interface MessageFns<T> \{[^}]*\}\n/m, "");
  if (/^(?:export )?(?:type|interface) (?:Builtin|DeepPartial|MessageFns)\b/m.test(shared)) {
    throw new Error("the generated code declares its types in an unknown way");
  }
  return shared
    .replace(/\bDeepPartial\b/g, "PartialMessage")
    .replace(/\bMessageFns\b/g, "MessageCodec")
    .replace(
      /^import \{ BinaryReader.*$/m,
      `$&\nimport type { MessageCodec, PartialMessage } from "${path}";`,
    );
}
