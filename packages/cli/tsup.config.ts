import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { library } from "../../tsup.base.ts";

// What arguments and pipelines need is built in, with the parts that are used: to look for a hundred files takes longer than to
// check a pipeline. What runs as a service, and what it has in common with the packages of databases, stays outside.
export default {
  ...library("src/index.ts", "src/main.ts"),
  // Packages that are not ESM ask for modules of Node by this name.
  banner: { js: "const require = process.getBuiltinModule;" },
  esbuildPlugins: [
    {
      name: "licences",
      setup(build) {
        build.onEnd(({ metafile }) => {
          writeFileSync("dist/LICENSES.txt", licencesOf(Object.keys(metafile?.inputs ?? {})));
        });
      },
    },
  ],
};

/** The licences of the packages of others that files belong to: they go where these go. */
function licencesOf(files: readonly string[]): string {
  const folders = files.flatMap((file) => /.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []);
  const texts = [...new Set(folders)].map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const own = readdirSync(folder).filter((file) => /^licen[cs]e/i.test(file));
    // Those without the text of their licence name it.
    const text = own.map((file) => readFileSync(join(folder, file), "utf8").trim()).join("\n\n");
    return `${name} ${version}: ${license}\n\n${text}`.trim();
  });
  // That of what comes from Argo and Protocol Buffers.
  const apache = readFileSync("../pipeline-argo/LICENSE-Apache-2.0.txt", "utf8").trim();
  return `${[...texts.sort(), apache].join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}
