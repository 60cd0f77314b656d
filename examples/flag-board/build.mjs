// Bundles the server for Node and the page, with the browser SDK in it, for browsers into dist/.
import { cpSync, rmSync } from "node:fs";
import { build } from "esbuild";

rmSync("dist", { recursive: true, force: true });
await build({
  entryPoints: ["src/main.ts", "src/flag-board.ts"],
  outdir: "dist",
  bundle: true,
  packages: "external",
  platform: "node",
  format: "esm",
  target: "node20",
  sourcemap: true,
});
await build({
  entryPoints: { page: "src/page/page.ts", style: "src/page/style.css" },
  outdir: "dist/public",
  bundle: true,
  minify: true,
  platform: "browser",
  format: "esm",
  target: "es2022",
});
for (const file of ["index.html", "icon.svg"]) cpSync(`src/page/${file}`, `dist/public/${file}`);
