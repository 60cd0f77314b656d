import { UsageError } from "./exit-code.js";

/** Loads what only some need, from packages that are installed beside the program. */
export async function loadOptional<Module>(
  what: string,
  packages: readonly string[],
  load: () => Promise<Module>,
): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
    if (!isMissing) throw error;
    const need = packages.length === 1 ? "a package of its own" : "packages of its own";
    throw new UsageError(`${what} needs ${need}: npm install ${packages.join(" ")}`);
  }
}
