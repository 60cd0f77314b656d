import { buildPage } from "@wye-examples/page-parts/build";

await buildPage({
  server: ["src/main.ts"],
  page: { page: "src/page/page.ts", style: "src/page/style.css", banner: "src/page/banner.css" },
  copies: { "icon.svg": "src/page/icon.svg", snippets: "src/snippets" },
});
