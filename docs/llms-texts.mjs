// What programs that read text are given: the guides as they were written, and `llms.txt`, which lists them.
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const parts = [
  { title: "Start", folder: "" },
  { title: "Pipelines", folder: "pipelines/" },
  { title: "Vehicles", folder: "vehicles/" },
  { title: "Relay", folder: "relay/" },
];

/**
 * Copies the guides to the site, and writes the list of them.
 * @param {string} docs the folder of the guides
 * @param {string} site where the site was built
 */
export function writeLlmsTexts(docs, site) {
  const { title, summary } = introduction(readFileSync(join(docs, "index.md"), "utf8"));
  const sections = parts.map(({ title, folder }) => {
    const names = readdirSync(join(docs, folder)).filter(
      (name) => name.endsWith(".md") && `${folder}${name}` !== "index.md",
    );
    const rows = names.map((name) => {
      const path = `${folder}${name}`;
      cpSync(join(docs, path), join(site, path));
      const { title, summary } = introduction(readFileSync(join(docs, path), "utf8"));
      return `- [${title}](/${path}): ${summary}`;
    });
    return `## ${title}\n\n${rows.join("\n")}\n`;
  });
  writeFileSync(join(site, "llms.txt"), `# ${title}\n\n> ${summary}\n\n${sections.join("\n")}`);
}

/**
 * The title of a page and its first sentence.
 * @param {string} text of the page, with a heading or a hero
 */
export function introduction(text) {
  const hero = /^ {2}name: (.+)$(?:[\s\S]*?)^ {2}tagline: (.+)$/m.exec(text);
  if (hero) return { title: hero[1], summary: hero[2] };
  const [, title, body] = /^# (.+)\n\s*([\s\S]*)/m.exec(text) ?? ["", "", ""];
  const paragraph = body.split(/\n\s*\n/).find((part) => /^[\w`[]/.test(part)) ?? "";
  const plain = paragraph.replaceAll(/\s+/g, " ").replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1");
  return { title, summary: /^.*?\.(?= |$)/.exec(plain)?.[0] ?? plain };
}
