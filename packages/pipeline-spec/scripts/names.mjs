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
  "InitContainer.EnvVar": "InitContainerEnvVar",
  "InitContainer.VolumeMount": "InitContainerVolumeMount",
  "InitContainer.ResourceRequirements": "InitContainerResources",
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
 * @param {...FileDescriptor} files
 * @returns {Map<string, string>}
 */
export function publicNames(...files) {
  const names = new Map();
  const taken = new Map();
  const add = (/** @type {string} */ path, /** @type {string} */ packageName) => {
    const name = exceptions[path] ?? path.slice(path.lastIndexOf(".") + 1);
    if (taken.has(name)) throw new Error(`${path} and ${taken.get(name)} would both be called ${name}`);
    taken.set(name, path);
    names.set(`${packageName}.${path}`, name);
  };
  const visit = (
    /** @type {MessageDescriptor} */ message,
    /** @type {string} */ scope,
    /** @type {string} */ packageName,
  ) => {
    if (message.options?.mapEntry) return;
    add(scope + message.name, packageName);
    for (const { name } of message.enumType ?? []) add(`${scope}${message.name}.${name}`, packageName);
    for (const nested of message.nestedType ?? []) visit(nested, `${scope}${message.name}.`, packageName);
  };
  for (const file of files) {
    for (const message of file.messageType ?? []) visit(message, "", file.package);
    for (const { name } of file.enumType ?? []) add(name, file.package);
  }
  return names;
}

/**
 * Renames the identifiers of a generated file.
 *
 * @param {string} source
 * @param {Map<string, string>} names  as `publicNames` gives them; packages have names of one part
 */
export function rename(source, names) {
  const byGenerated = new Map(
    [...names].map(([full, name]) => [full.slice(full.indexOf(".") + 1).replaceAll(".", "_"), name]),
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

/**
 * Makes one function of the two that ts-proto writes for making a message: `create`, of any part of it or of none.
 *
 * @param {string} source
 */
export function mergeCreate(source) {
  const merged = source
    .replace(/^ {2}create\([^)]*\): \w+ \{\n.*\.fromPartial\(base \?\? \{\}\);\n {2}\},\n/gm, "")
    .replace(/^ {2}fromPartial\((\s*\w+: PartialMessage<\w+>)/gm, "  create($1 = {}")
    .replace(/(\w\.)fromPartial\(/g, "$1create(");
  if (/\bfromPartial\b/.test(merged)) throw new Error("the generated code makes messages in an unknown way");
  return merged;
}
