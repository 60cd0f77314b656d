import type { Pipeline } from "@wye/pipeline-spec";

/** What pointers lead into: those that begin with `/platforms` into the platform specification. */
export type Held = Pick<Pipeline, "spec" | "deployment"> & Partial<Pick<Pipeline, "platform">>;

/** What a specification holds at a pointer from its root, by JSON names; undefined when there is nothing. */
export function valueAt({ spec, deployment, platform }: Held, at: string): unknown {
  const path = at
    .slice(1)
    .split("/")
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
  const isDeployment = path[0] === "deploymentSpec";
  let value: unknown = isDeployment ? deployment : path[0] === "platforms" ? platform : spec;
  for (const name of isDeployment ? path.slice(1) : path) value = member(value, name);
  return value;
}

/** A field by its JSON name; those of a oneof are one level deeper in a message. */
function member(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  if (Object.hasOwn(value, name)) return (value as { readonly [name: string]: unknown })[name];
  // A map has no oneofs, and may be large.
  for (const key of ["kind", "implementation", "spec", "value", "iterator"]) {
    const part = Object.hasOwn(value, key) ? (value as { readonly [name: string]: unknown })[key] : undefined;
    const isChoice = typeof part === "object" && part !== null && "$case" in part && part.$case === name;
    if (isChoice) return (part as { readonly value?: unknown }).value;
  }
  return undefined;
}
