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

/** Decisions by their numbers, whether or not their headings have them. */
function decisionPages(): Link[] {
  return pagesOf("decisions").map(({ text, link }) => {
    const number = Number(link.slice("/decisions/".length).slice(0, 4));
    return { text: `${number} · ${text.replace(/^\d+\s*·?\s*/, "")}`, link };
  });
}

/** The families by the first two digits of their decisions. */
const families: Readonly<Record<string, string>> = {
  "00": "The house",
  "01": "Pipelines",
  "02": "Vehicles",
  "03": "Relay",
  "04": "Relay",
};

const familyOf = ({ link }: Link): string =>
  families[link.slice("/decisions/".length).slice(0, 2)] ?? "Others";

/** The list of all decisions, as the end of their first page. */
function decisionList(): string {
  const pages = decisionPages();
  const parts = [...new Set(Object.values(families))].map((family) => {
    const rows = pages.filter((page) => familyOf(page) === family);
    return `## ${family}\n\n${rows.map(({ text, link }) => `- [${text}](${link})`).join("\n")}\n`;
  });
  return `\n\n${parts.join("\n")}`;
}

/** A decision is shown among its tenfold: the list of all in each of them would be most of the site. */
function decisions(): Record<string, object[]> {
  const pages = decisionPages();
  const tenfold = ({ link }: Link): string => link.slice(0, "/decisions/012".length);
  const all = { text: "All decisions", link: "/decisions/" };
  return Object.fromEntries(
    pages.map((first) => [
      tenfold(first),
      [all, { text: familyOf(first), items: pages.filter((page) => tenfold(page) === tenfold(first)) }],
    ]),
  );
}

/** The start pages of the packages in the reference, which is generated before the site is built. */
function packages(): Link[] {
  if (!existsSync(`${docs}reference`)) return [];
  return readdirSync(`${docs}reference`, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ text: `@wye/${name}`, link: `/reference/${name}/` }))
    .sort((a, b) => (a.text < b.text ? -1 : 1));
}

const repository = "https://github.com/wye/wye";
const isGenerated = (path: string): boolean => path.startsWith("reference/");

export default defineConfig({
  title: "Wye",
  description: "Pipelines, vehicles and flags: small TypeScript packages that meet in one repository",
  cleanUrls: true,
  lastUpdated: false,
  head: [["link", { rel: "icon", href: "/icon.svg", type: "image/svg+xml" }]],
  transformPageData: ({ relativePath, frontmatter }) => ({
    // Nobody can change what is made of the sources.
    frontmatter: isGenerated(relativePath) ? { ...frontmatter, editLink: false } : frontmatter,
  }),
  // The list of all pages once, instead of in each of them.
  metaChunk: true,
  markdown: {
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    // As on the pages of repositories, and as typedoc expects: links to headings are the same in both places.
    anchor: {
      // Members of types have anchors by typedoc. A search result and an address for each of them were half of the site.
      level: [1, 2, 3],
      slugify: (heading) =>
        heading
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N}_\- ]/gu, "")
          .replaceAll(" ", "-"),
    },
    config: (md) => {
      const renderPage = md.render.bind(md);
      md.render = (source, env) =>
        renderPage(env?.relativePath === "decisions/index.md" ? source + decisionList() : source, env);
      // A column without a name has no header.
      md.core.ruler.push("columns_without_names", ({ tokens }) => {
        tokens.forEach((token, index) => {
          const [text, end] = tokens.slice(index + 1, index + 3);
          if (token.type === "th_open" && text?.content === "" && end) token.tag = end.tag = "td";
        });
      });
      // Placeholders of pipelines look like those of Vue: no text is ever one of Vue's, and no code inside of a line.
      const render = md.renderer.rules.code_inline;
      if (!render) throw new Error("Markdown without a rule for code");
      md.renderer.rules.code_inline = (...args) => render(...args).replace("<code", "<code v-pre");
      md.renderer.rules.text = (tokens, index) =>
        md.utils.escapeHtml(tokens[index]?.content ?? "").replaceAll("{{", "&#123;&#123;");
    },
  },
  themeConfig: {
    logo: { src: "/icon.svg", alt: "" },
    socialLinks: [{ icon: "github", link: repository, ariaLabel: "The repository" }],
    editLink: { pattern: `${repository}/edit/main/docs/:path`, text: "Edit this page" },
    search: {
      provider: "local",
      options: {
        // A decision is found as a whole: its parts have the same names in all of them.
        _render: (source, env, md) => {
          const html = md.render(source, env);
          return env.relativePath.startsWith("decisions/") ? html.replaceAll(/(<\/?)h[2-6]/g, "$1p") : html;
        },
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
        { text: "Figures", link: "/figures" },
        { text: "Pipelines", link: "/pipelines/", items: pagesOf("pipelines") },
        { text: "Vehicles", link: "/vehicles/", items: pagesOf("vehicles") },
        { text: "Relay", link: "/relay/", items: pagesOf("relay") },
        { text: "Reference", link: "/reference/" },
        { text: "Decisions", link: "/decisions/" },
      ],
    },
  },
});
