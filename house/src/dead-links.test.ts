import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
// The site is no package; what builds it is a script.
import { deadLinks } from "../../docs/dead-links.mjs";

const links = [
  { name: "alive/page of a clean address", href: "/guide/first", dead: false },
  { name: "alive/start page of a folder", href: "./", dead: false },
  { name: "alive/relative", href: "../index.html", dead: false },
  { name: "alive/anchor on the same page", href: "#here", dead: false },
  { name: "alive/anchor with escapes", href: "/guide/first#a%20%26%20b", dead: false },
  { name: "alive/file that is no page", href: "/data.json#any", dead: false },
  { name: "alive/elsewhere", href: "https://example.org/nothing", dead: false },
  { name: "dead/page", href: "/guide/second", dead: true },
  { name: "dead/folder without a start page", href: "/empty/", dead: true },
  { name: "dead/anchor", href: "/guide/first#there", dead: true },
  { name: "dead/source file", href: "first.md", dead: true },
];

for (const { name, href, dead } of links) {
  test(name, () => {
    const folder = mkdtempSync(join(tmpdir(), "site-"));
    const files = {
      "index.html": "<p>Start</p>",
      "data.json": "{}",
      "empty/other.txt": "",
      "guide/index.html": `<h2 id="here">Here</h2><a class="link" href="${href}">go</a>`,
      "guide/first.html": '<h2 id="a &amp; b">A and B</h2>',
    };
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    expect(deadLinks(folder)).toEqual(dead ? [`/guide/index.html → ${href}`] : []);
    rmSync(folder, { recursive: true });
  });
}
