// Builds the site. A page that cannot be rendered only makes VitePress print an error: here it fails the build.
import { build } from "vitepress";

const print = console.error;
console.error = (...messages) => {
  process.exitCode = 1;
  print(...messages);
};
await build(import.meta.dirname);
