import { defineConfig } from "tsup";

type TsupConfig = ReturnType<typeof defineConfig>;

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
    // tsup 8 hands `baseUrl` to the declaration build; TypeScript 6 accepts that only when told to.
    dts: { compilerOptions: { ignoreDeprecations: "6.0" } },
  });
}
