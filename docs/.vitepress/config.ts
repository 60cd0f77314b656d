import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";

interface Link {
  readonly text: string;
  readonly link: string;
}

const docs = fileURLToPath(new URL("..", import.meta.url));

/** The pages of a folder, named by their first heading. */
function pagesOf(folder: string): Link[] {
  if (!existsSync(`${docs}${folder}`)) return [];
  return readdirSync(`${docs}${folder}`)
    .filter((name) => name.endsWith(".md") && name !== "index.md")
    .sort()
    .map((name) => {
      const title = /^# (.+)$/m.exec(readFileSync(`${docs}${folder}/${name}`, "utf8"))?.[1] ?? name;
      return { text: title, link: `/${folder}/${name.replace(/\.md$/, "")}` };
    });
}

/** Decisions are numbered by family: a page lists those of its own, the first page all of them. */
function decisions(): Record<string, object[]> {
  const families = { "00": "The house", "01": "Pipelines", "02": "Vehicles", "03": "Relay" };
  const pages = pagesOf("decisions");
  const groups = Object.entries(families).map(([number, text]) => {
    const prefix = `/decisions/${number}`;
    return { prefix, text, items: pages.filter(({ link }) => link.startsWith(prefix)) };
  });
  const all = { text: "All decisions", link: "/decisions/" };
  return {
    ...Object.fromEntries(groups.map(({ prefix, text, items }) => [prefix, [all, { text, items }]])),
    "/decisions/": [all, ...groups.map(({ text, items }) => ({ text, items }))],
  };
}

/** The start pages of the packages in the reference, which is generated before the site is built. */
function packages(): Link[] {
  if (!existsSync(`${docs}reference`)) return [];
  return readdirSync(`${docs}reference`, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ text: `@wye/${name}`, link: `/reference/${name}/` }))
    .sort((a, b) => (a.text < b.text ? -1 : 1));
}

export default defineConfig({
  title: "Wye",
  description: "Pipelines, vehicles and flags: small TypeScript packages that meet in one repository",
  cleanUrls: true,
  lastUpdated: false,
  // The list of all pages once, instead of in each of them.
  metaChunk: true,
  markdown: {
    // As on the pages of repositories, and as typedoc expects: links to headings are the same in both places.
    anchor: {
      slugify: (heading) =>
        heading
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N}_\- ]/gu, "")
          .replaceAll(" ", "-"),
    },
    config: (md) => {
      // Placeholders of pipelines look like those of Vue: no text is ever one of Vue's, and no code inside of a line.
      const render = md.renderer.rules.code_inline;
      if (!render) throw new Error("Markdown without a rule for code");
      md.renderer.rules.code_inline = (...args) => render(...args).replace("<code", "<code v-pre");
      md.renderer.rules.text = (tokens, index) =>
        md.utils.escapeHtml(tokens[index]?.content ?? "").replaceAll("{{", "&#123;&#123;");
    },
  },
  themeConfig: {
    search: {
      provider: "local",
      options: {
        miniSearch: {
          searchOptions: {
            // Who asks for "express" wants to use something: guides first, then why things are as they are, types last.
            boostDocument: (id: string) =>
              id.includes("/reference/") ? 0.1 : id.includes("/decisions/") ? 0.3 : 1,
          },
        },
      },
    },
    nav: [
      { text: "Pipelines", link: "/pipelines/" },
      { text: "Vehicles", link: "/vehicles/" },
      { text: "Relay", link: "/relay/" },
      { text: "Reference", link: "/reference/" },
      { text: "Decisions", link: "/decisions/" },
    ],
    outline: [2, 3],
    // One list for each part of the site: every page carries the list that it shows.
    sidebar: {
      ...decisions(),
      "/pipelines/rules/": [
        { text: "All rules", link: "/pipelines/rules" },
        { text: "Rules", items: pagesOf("pipelines/rules") },
      ],
      "/reference/": [{ text: "Reference", link: "/reference/", items: packages() }],
      "/": [
        { text: "Start", link: "/" },
        { text: "Sixty seconds", link: "/start" },
        { text: "Why not something else", link: "/why-not" },
        { text: "Pipelines", link: "/pipelines/", items: pagesOf("pipelines") },
        { text: "Vehicles", link: "/vehicles/", items: pagesOf("vehicles") },
        { text: "Relay", link: "/relay/", items: pagesOf("relay") },
        { text: "Reference", link: "/reference/" },
        { text: "Decisions", link: "/decisions/" },
      ],
    },
  },
});
