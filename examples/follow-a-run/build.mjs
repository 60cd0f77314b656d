import { mkdirSync, writeFileSync } from "node:fs";
import { graphStyle } from "@wye/pipeline-runner/report";
import { buildPage } from "@wye-examples/page-parts/build";

await buildPage({
  server: ["src/create-run-follower.ts"],
  page: { page: "src/page/page.ts", style: "src/page/style.css" },
  copies: { "index.html": "src/page/index.html" },
});
mkdirSync("dist/public", { recursive: true });
writeFileSync("dist/public/graph.css", graphStyle);
