/**
 * What hands out the built-in modules of Node, in Node, Deno, Bun and some workers; elsewhere undefined. They are asked
 * for at run time, because a static import of one keeps a file from loading where there are none.
 */
export function builtinModules(): typeof process.getBuiltinModule | undefined {
  return typeof process === "undefined" ? undefined : process.getBuiltinModule;
}
