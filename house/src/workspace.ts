import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The fields of a `package.json` that the house looks at. */
export interface Manifest {
  readonly name: string;
  readonly version?: string;
  readonly private?: boolean;
  readonly description?: string;
  readonly license?: string;
  readonly type?: string;
  readonly sideEffects?: boolean | readonly string[];
  readonly keywords?: readonly string[];
  readonly homepage?: string;
  readonly bugs?: string;
  readonly repository?: { readonly type?: string; readonly url?: string; readonly directory?: string };
  readonly engines?: { readonly node?: string };
  readonly files?: readonly string[];
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** A published package of this repository. */
export interface Package {
  /** The name of its folder, which is its npm name without the scope. */
  readonly id: string;
  readonly folder: string;
  readonly manifest: Manifest;
  /** What a user writes after `import … from`, for each entry point that is code: `@wye/x`, `@wye/x/client`. */
  readonly specifiers: readonly string[];
}

/** The root of the repository. */
export const root: string = fileURLToPath(new URL("../..", import.meta.url));

/** All published packages, in the order of their names. */
export const packages: readonly Package[] = readdirSync(join(root, "packages"))
  .sort()
  .filter((id) => existsSync(join(root, "packages", id, "package.json")))
  .map((id) => {
    const folder = join(root, "packages", id);
    const manifest = manifestOf(folder);
    const specifiers = Object.keys(manifest.exports ?? {})
      .filter((entry) => !entry.endsWith(".json"))
      .map((entry) => specifier(manifest.name, entry));
    return { id, folder, manifest, specifiers };
  });

/** The name under which an entry point such as `./client` is imported. */
export function specifier(name: string, entry: string): string {
  return name + entry.slice(1);
}

export function manifestOf(folder: string): Manifest {
  // Our own files, and those of installed packages; every field that is read is optional but the name.
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
}
