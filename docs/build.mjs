// Builds the site. A page that cannot be rendered only makes VitePress print an error: here it fails the build, and so does
// a link of the finished pages that leads nowhere.
import { join } from "node:path";
import { build } from "vitepress";
import { deadLinks } from "./dead-links.mjs";

const print = console.error;
console.error = (...messages) => {
  process.exitCode = 1;
  print(...messages);
};
await build(import.meta.dirname);

for (const dead of deadLinks(join(import.meta.dirname, ".vitepress", "dist"))) {
  process.exitCode = 1;
  print(`dead link: ${dead}`);
}
