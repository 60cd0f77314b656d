import { isObject, type PipelineContainerSpec } from "@wye/pipeline-spec";
import { messageText } from "../text/json-text.js";

/** The fields of a message in the order of its hash: the name in it, and for messages their own fields. */
interface HashedFields {
  readonly [field: string]: string | readonly [name: string, fields: HashedFields];
}

const exec: HashedFields = { command: "command", args: "args" };

const accelerator: HashedFields = {
  type: "type",
  count: "count",
  resourceType: "resource_type",
  resourceCount: "resource_count",
};

const resources: HashedFields = {
  cpuLimit: "cpu_limit",
  memoryLimit: "memory_limit",
  cpuRequest: "cpu_request",
  memoryRequest: "memory_request",
  resourceCpuLimit: "resource_cpu_limit",
  resourceMemoryLimit: "resource_memory_limit",
  resourceCpuRequest: "resource_cpu_request",
  resourceMemoryRequest: "resource_memory_request",
  accelerator: ["accelerator", accelerator],
};

const container: HashedFields = {
  image: "image",
  command: "command",
  args: "args",
  lifecycle: ["lifecycle", { preCacheCheck: ["pre_cache_check", exec] }],
  resources: ["resources", resources],
  env: ["env", { name: "name", value: "value" }],
};

/** Numbers of 64 bits, which are texts in JSON and numbers in what is hashed. */
const wholeNumbers: ReadonlySet<string> = new Set(["count"]);

/** What is hashed of a container: components with equal containers share their parameters. */
export function containerText(spec: PipelineContainerSpec): string {
  return hashedText(spec, container);
}

function hashedText(message: unknown, fields: HashedFields): string {
  let text = "";
  // They have no other names than these, and most messages few of them: a list of them would be made for each.
  for (const field in fields) {
    const value = isObject(message) ? message[field] : undefined;
    const target = fields[field];
    if (value === undefined || target === undefined) continue;
    const [name, nested] = typeof target === "string" ? [target] : target;
    const member = nested === undefined ? plainText(field, value) : nestedText(value, nested);
    if (member !== undefined) text += `${text === "" ? "" : ","}"${name}":${member}`;
  }
  return `{${text}}`;
}

function plainText(field: string, value: unknown): string | undefined {
  if (value === "" || value === 0) return undefined;
  if (Array.isArray(value) && value.length === 0) return undefined;
  if (!wholeNumbers.has(field)) return messageText(value);
  return value === "0" ? undefined : String(value);
}

/** A message that is there is kept, even if it is empty. */
function nestedText(value: unknown, fields: HashedFields): string | undefined {
  if (!Array.isArray(value)) return hashedText(value, fields);
  return value.length === 0 ? undefined : `[${value.map((item) => hashedText(item, fields)).join(",")}]`;
}
