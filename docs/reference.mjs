// Writes reference/ from the type declarations of the built packages, one folder for each entry point. Fails when a
// public signature mentions a type that is not exported, or a comment links to nothing.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Application } from "typedoc";

const packagesFolder = fileURLToPath(new URL("../packages", import.meta.url));
const entryPoints = readdirSync(packagesFolder).flatMap((name) => {
  const { exports } = JSON.parse(readFileSync(join(packagesFolder, name, "package.json"), "utf8"));
  return Object.values(exports).flatMap((target) =>
    target.types ? [join(packagesFolder, name, target.types)] : [],
  );
});

const application = await Application.bootstrapWithPlugins({
  entryPoints,
  tsconfig: fileURLToPath(new URL("tsconfig.json", import.meta.url)),
  plugin: ["typedoc-plugin-markdown"],
  out: fileURLToPath(new URL("reference", import.meta.url)),
  displayBasePath: packagesFolder,
  readme: "none",
  disableSources: true,
  excludeInternal: true,
  validation: { notExported: true, invalidLink: true, notDocumented: false, unusedMergeModuleWith: true },
  treatValidationWarningsAsErrors: true,
  // Functions of types, which editors show by their results.
  intentionallyNotExported: ["Certain", "Flat"],
  hidePageHeader: true,
  logLevel: "Warn",
});
const project = await application.convert();
if (!project) process.exit(1);
// typedoc names a module after its file; users import it by another name.
for (const module of project.children ?? []) {
  module.name = module.name.replace(/^([^/]+)\/dist(\/index)?/, "@wye/$1");
}
application.validate(project);
await application.generateOutputs(project);
if (application.logger.hasErrors() || application.logger.validationWarningCount > 0) process.exit(1);
