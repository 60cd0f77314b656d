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
    .filter((name) => name.endsWith(".md") && name !== "index.md" && name !== "README.md")
    .sort()
    .map((name) => {
      const title = /^# (.+)$/m.exec(readFileSync(`${docs}${folder}/${name}`, "utf8"))?.[1] ?? name;
      return { text: title, link: `/${folder}/${name.replace(/\.md$/, "")}` };
    });
}

export default defineConfig({
  title: "Wye",
  description: "Pipelines, vehicles and flags: small TypeScript packages that meet in one repository",
  cleanUrls: true,
  lastUpdated: false,
  // typedoc calls start pages README.
  rewrites: { "reference/:path*/README.md": "reference/:path*/index.md" },
  markdown: {
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
    search: { provider: "local" },
    nav: [
      { text: "Pipelines", link: "/pipelines/" },
      { text: "Vehicles", link: "/vehicles/" },
      { text: "Relay", link: "/relay/" },
      { text: "Reference", link: "/reference/" },
      { text: "Decisions", link: "/decisions/" },
    ],
    outline: [2, 3],
    sidebar: [
      { text: "Start", link: "/" },
      { text: "Pipelines", link: "/pipelines/", items: pagesOf("pipelines") },
      { text: "Vehicles", link: "/vehicles/", items: pagesOf("vehicles") },
      { text: "Relay", link: "/relay/", items: pagesOf("relay") },
      { text: "Reference", link: "/reference/" },
      { text: "Decisions", link: "/decisions/", items: pagesOf("decisions"), collapsed: true },
    ],
  },
});
