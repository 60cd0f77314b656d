import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packages, root } from "./workspace.js";

// npm shows a README far away from the files beside it: its links have to be whole.

const repository = "https://github.com/wye/wye";

for (const { folder, manifest } of packages) {
  test(`the links of the README of ${manifest.name} lead somewhere from npm, too`, () => {
    const text = readFileSync(join(folder, "README.md"), "utf8");
    expect(linksOf(text).flatMap((link) => faultOf(link, text))).toEqual([]);
  });
}

test("what leads nowhere is found", () => {
  const faults = [
    "docs/start.md",
    "#b",
    `${repository}/blob/main/no.md`,
    `${repository}/tree/main/README.md`,
  ];
  const text = faults.map((link) => `[x](${link})`).join(" ");
  expect(linksOf(`# A\n${text}\n\`[x](code)\`\n\`\`\`ts\n[x](code)\n\`\`\`\n`)).toEqual(faults);
  expect(faults.flatMap((link) => faultOf(link, "# A"))).toHaveLength(faults.length);
  expect(["#a", `${repository}/blob/main/README.md#try-it`].flatMap((link) => faultOf(link, "# A"))).toEqual(
    [],
  );
});

/** The targets of all links outside of code. */
function linksOf(markdown: string): readonly string[] {
  const prose = markdown.replaceAll(/^```.*?^```/gms, "").replaceAll(/`[^`]*`/g, "code");
  return [...prose.matchAll(/\]\(([^)\s]+)/g)].map(([, link = ""]) => link);
}

function faultOf(link: string, text: string): readonly string[] {
  if (link.startsWith("#")) return anchorsOf(text).has(link.slice(1)) ? [] : [link];
  if (!link.startsWith("https://")) return [link];
  const [, kind, path = "", anchor] =
    new RegExp(`^${repository}/(blob|tree)/main/([^#]+)(?:#(.+))?$`).exec(link) ?? [];
  if (kind === undefined) return [];
  const found = statSync(join(root, path), { throwIfNoEntry: false });
  if (!(kind === "blob" ? found?.isFile() : found?.isDirectory())) return [link];
  if (anchor === undefined) return [];
  return anchorsOf(readFileSync(join(root, path), "utf8")).has(anchor) ? [] : [link];
}

/** The anchors of headings, as the repository's pages and the site have them. */
function anchorsOf(markdown: string): ReadonlySet<string> {
  const headings = markdown.matchAll(/^#+ (.+)$/gm);
  return new Set(
    Array.from(headings, ([, heading = ""]) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}_\- ]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}
