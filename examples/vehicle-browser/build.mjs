import { buildPage } from "@wye-examples/page-parts/build";

await buildPage({
  server: ["src/main.ts", "src/vehicle-browser.ts"],
  page: {
    page: "src/page/page.ts",
    style: "src/page/style.css",
    api: "src/page/api.ts",
    "api-style": "src/page/api.css",
  },
  copies: {
    "index.html": "src/page/index.html",
    "api.html": "src/page/api.html",
    "icon.svg": "src/page/icon.svg",
  },
});
