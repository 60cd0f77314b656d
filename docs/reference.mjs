// Writes reference/ from the type declarations of the built packages, one folder for each package. Fails when a public
// signature mentions a type that is not exported, or a comment links to nothing.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Application } from "typedoc";

const packagesFolder = fileURLToPath(new URL("../packages", import.meta.url));
const output = fileURLToPath(new URL("reference", import.meta.url));

/** Functions of types, which editors show by their results: nobody needs their names. */
const unnamed = { "vehicle-catalogue": ["Certain", "Flat"] };

/**
 * Documents one package. (Several at once would be quicker, but then typedoc takes the types of each for foreign ones and
 * does not mind when they are hidden.)
 */
async function document(id, { name, description, exports }) {
  const dist = join(packagesFolder, id, "dist");
  const application = await Application.bootstrapWithPlugins({
    name,
    entryPoints: Object.values(exports).flatMap(({ types }) =>
      types ? [join(packagesFolder, id, types)] : [],
    ),
    tsconfig: fileURLToPath(new URL("tsconfig.json", import.meta.url)),
    plugin: ["typedoc-plugin-markdown"],
    out: join(output, id),
    displayBasePath: dist,
    readme: "none",
    disableSources: true,
    excludeInternal: true,
    // What a type inherits from Node is documented there.
    excludeExternals: true,
    validation: { notExported: true, invalidLink: true, notDocumented: false, unusedMergeModuleWith: true },
    treatValidationWarningsAsErrors: true,
    intentionallyNotExported: unnamed[id] ?? [],
    hidePageHeader: true,
    entryFileName: "index",
    // A page for each module, not for each type: a tenth of the pages, and a search within the page finds everything.
    outputFileStrategy: "modules",
    // Links count equal names in another way than headings do: every name gets an anchor of its own.
    useHTMLAnchors: true,
    logLevel: "Warn",
  });
  const project = await application.convert();
  if (!project) throw new Error(`${name} cannot be documented`);
  // typedoc names a module after its file; users import it by another name.
  for (const module of project.children ?? []) {
    if (module.kindOf(2)) module.name = module.name === "index" ? name : `${name}/${module.name}`;
  }
  application.validate(project);
  await application.generateOutputs(project);
  if (application.logger.hasErrors() || application.logger.validationWarningCount > 0) process.exitCode = 1;
  return `| [\`${name}\`](./${id}/index.md) | ${description} |`;
}

rmSync(output, { recursive: true, force: true });
mkdirSync(output);
const rows = [];
for (const id of readdirSync(packagesFolder).sort()) {
  rows.push(await document(id, JSON.parse(readFileSync(join(packagesFolder, id, "package.json"), "utf8"))));
}
writeFileSync(
  join(output, "index.md"),
  `# Reference\n\nGenerated from the type declarations of the built packages.\n\n| package | what it is |\n|---|---|\n${rows.join("\n")}\n`,
);
