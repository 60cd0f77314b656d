import { buildPage } from "@wye-examples/page-parts/build";

await buildPage({
  server: ["src/main.ts", "src/flag-board.ts"],
  page: { page: "src/page/page.ts", style: "src/page/style.css" },
  copies: { "index.html": "src/page/index.html", "icon.svg": "src/page/icon.svg" },
});
