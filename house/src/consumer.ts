import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { npm } from "./run.js";
import { type Manifest, manifestOf, packages, root } from "./workspace.js";

/**
 * Makes an empty project outside the workspace and installs every package into it from its tarball, as a user would
 * from the registry. What the packages depend on is packed from what is installed here, so that no network is needed.
 */
export async function createConsumer(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "wye-consumer-"));
  const tarballs = join(folder, "tarballs");
  mkdirSync(tarballs);
  const folders = [...packages.map(({ folder }) => folder), ...thirdParties()];
  const packed = await npm(
    ["pack", "--json", "--ignore-scripts", "--pack-destination", tarballs, ...folders],
    root,
  );
  if (packed.status !== 0) throw new Error(`npm pack failed:\n${packed.stderr}`);
  // npm's own report: one entry for each folder.
  const files = JSON.parse(packed.stdout) as readonly { readonly name: string; readonly filename: string }[];
  const dependencies = Object.fromEntries(
    files.map(({ name, filename }) => [name, `file:tarballs/${filename}`]),
  );
  write(
    folder,
    "package.json",
    JSON.stringify({ name: "consumer", private: true, type: "module", dependencies }),
  );
  const installed = await npm(
    ["install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund"],
    folder,
  );
  if (installed.status !== 0) throw new Error(`npm install failed:\n${installed.stderr}`);
  return folder;
}

/** Writes a file of the project. */
export function write(folder: string, name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

/** The folders of everything that the packages need at run time, and Node's types. */
function thirdParties(): string[] {
  const found = new Map<string, string>();
  const visit = (
    folder: string,
    { dependencies, peerDependencies, peerDependenciesMeta }: Manifest,
  ): void => {
    for (const name of Object.keys({ ...dependencies, ...peerDependencies })) {
      if (name.startsWith("@wye/") || peerDependenciesMeta?.[name]?.optional === true) continue;
      const installed = installedFolder(folder, name);
      const other = found.get(name);
      if (other === installed) continue;
      if (other) throw new Error(`two versions of ${name} are needed at run time: ${other} and ${installed}`);
      found.set(name, installed);
      visit(installed, manifestOf(installed));
    }
  };
  for (const { folder, manifest } of packages) visit(folder, manifest);
  visit(root, { name: "consumer", dependencies: { "@types/node": "*" } });
  return [...found.values()];
}

/** Where Node would find a package, starting from a folder. */
function installedFolder(from: string, name: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, "node_modules", name);
    if (existsSync(join(candidate, "package.json"))) return candidate;
    if (folder === dirname(folder)) throw new Error(`${name}, needed by ${from}, is not installed`);
  }
}
