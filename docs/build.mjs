// Builds the site. A page that cannot be rendered only makes VitePress print an error: here it fails the build, and so does
// a link of the finished pages that leads nowhere, or a site that has become too large.
import { statSync } from "node:fs";
import { join } from "node:path";
import { build } from "vitepress";
import { deadLinks } from "./dead-links.mjs";
import { writeLlmsTexts } from "./llms-texts.mjs";
import { siteFiles } from "./site-files.mjs";

/** Whoever writes a page does not notice what it costs: lists and anchors in each of hundreds of pages soon do. */
const mostMegabytes = 15;

const print = console.error;
console.error = (...messages) => {
  process.exitCode = 1;
  print(...messages);
};
await build(import.meta.dirname);

const site = join(import.meta.dirname, ".vitepress", "dist");
writeLlmsTexts(import.meta.dirname, site);
for (const dead of deadLinks(site)) console.error(`dead link: ${dead}`);
const bytes = [...siteFiles(site)].reduce((sum, file) => sum + statSync(join(site, file)).size, 0);
const size = `${(bytes / 1e6).toFixed(1)} MB`;
if (bytes > mostMegabytes * 1e6) console.error(`the site has ${size}, more than ${mostMegabytes} MB`);
else console.log(`the site has ${size}`);
