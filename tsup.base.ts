import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { defineConfig } from "tsup";
import ts from "typescript";
import { builtFrom, hashOf } from "./scripts/built.js";

type TsupConfig = ReturnType<typeof defineConfig>;

const formatHost: ts.FormatDiagnosticsHost = {
  getCanonicalFileName: (name) => name,
  getCurrentDirectory: () => process.cwd(),
  getNewLine: () => "\n",
};

/** The one way a package is built: ESM for Node 20 and browsers, with types, and source maps that name the places of the sources. */
export function library(...entry: string[]): TsupConfig {
  return defineConfig({
    entry,
    format: ["esm"],
    target: "es2022",
    sourcemap: true,
    // Deno, workers and the loaders of test runners know the modules of Node by this.
    removeNodeProtocol: false,
    esbuildOptions(options) {
      // The sources are in the repository: a copy of them would be more than half of each package.
      options.sourcesContent = false;
    },
    clean: true,
    dts: {
      // Whoever reads this configuration without building needs no declarations: they are made when they are asked for.
      get entry() {
        return orEnd(() => declarations(entry));
      },
      // tsup 8 hands `baseUrl` to the declaration build; TypeScript 6 accepts that only when told to.
      compilerOptions: { ignoreDeprecations: "6.0" },
    },
    onSuccess: async () => recordSources(),
  });
}

/** Writes from which sources a package was built, as its source maps name them: tests of what is built fail when those have changed since. */
function recordSources(): void {
  const maps = readdirSync("dist", { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".js.map"),
  );
  const sources = maps.flatMap((map) => {
    const { sources }: { readonly sources: readonly string[] } = JSON.parse(
      readFileSync(join("dist", map), "utf8"),
    );
    return sources.map((source) => join("dist", dirname(map), source));
  });
  const own = [...new Set(sources)].filter((source) => !source.includes("node_modules")).sort();
  mkdirSync(dirname(builtFrom), { recursive: true });
  writeFileSync(builtFrom, JSON.stringify(Object.fromEntries(own.map((source) => [source, hashOf(source)]))));
}

/** tsup has started a thread when it asks for what is made here, and would wait for it for ever if that threw. */
function orEnd<Value>(make: () => Value): Value {
  try {
    return make();
  } catch (error) {
    console.error(error);
    process.exit(1);
  }
}

/**
 * Writes the declarations of what the entries lead to, file by file, and gives those of the entries for tsup to put together.
 * As exports say their types (`isolatedDeclarations`), no other file has to be looked at: tsup would check all types to write
 * some, which takes ten times as long and is done by `npm run check`.
 */
function declarations(entries: readonly string[]): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), "wye-declarations-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  // A build that is stopped, as by another one that has failed, has no exit otherwise.
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => process.exit(128 + constants.signals[signal]));
  const sources = new Set(entries);
  for (const source of sources) {
    const { outputText, diagnostics = [] } = ts.transpileDeclaration(readFileSync(source, "utf8"), {
      fileName: source,
      reportDiagnostics: true,
      compilerOptions: {
        isolatedDeclarations: true,
        target: ts.ScriptTarget.ES2022,
        module: ts.ModuleKind.NodeNext,
      },
    });
    if (diagnostics.length > 0) throw new Error(ts.formatDiagnostics(diagnostics, formatHost));
    for (const { fileName } of ts.preProcessFile(outputText).importedFiles) {
      if (fileName.startsWith(".")) sources.add(join(dirname(source), fileName.replace(/\.js$/, ".ts")));
    }
    mkdirSync(dirname(join(folder, source)), { recursive: true });
    writeFileSync(join(folder, source.replace(/\.ts$/, ".d.ts")), outputText);
  }
  return Object.fromEntries(
    entries.map((entry) => {
      const name = entry.replace(/^src\/(.*)\.ts$/, "$1");
      return [name, join(folder, "src", `${name}.d.ts`)];
    }),
  );
}
