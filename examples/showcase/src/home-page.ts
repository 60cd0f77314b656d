import { banner } from "./banner.js";
import type { Leg } from "./leg.js";

/** The first page, complete without scripts; `page.ts` adds what needs one. `snippets` are the first lines of each leg, by its id. */
export function homePage(legs: readonly Leg[], snippets: ReadonlyMap<string, string>): string {
  return document(
    "Wye",
    `<header class="hero">
      <svg class="mark" viewBox="0 0 120 120" role="img" aria-label="Three lines that meet in one point">
        <path class="one" d="M60 62V112" /><path class="two" d="M60 62L17 14" /><path class="three" d="M60 62L103 14" />
        <circle cx="60" cy="62" r="9" />
      </svg>
      <div>
        <h1>Wye</h1>
        <p>Three families of small TypeScript packages that meet in one repository, and in this one Node server.</p>
        <p class="health" id="health" role="status">Served by <code>node:http</code></p>
      </div>
    </header>
    <main>
      <h2>The legs</h2>
      <ul class="legs">${legs.map(card).join("")}</ul>
      <h2>The first lines</h2>
      ${legs.map((leg) => firstLines(leg, snippets.get(leg.id) ?? "")).join("")}
      <h2>What it costs</h2>
      <dl class="figures">${legs.map(figure).join("")}</dl>
      <p class="small">CPU time of Node 20 on two cores of a shared machine (AMD EPYC) that was busy with other work; what stands beside each other was
      measured in turns. For programs: <a href="/legs.json">the legs</a>,
      <a href="/health">whether this server is up</a>.</p>
    </main>
    <script type="module" src="/page.js"></script>`,
  );
}

export function notFoundPage(): string {
  return document(
    "Not found · Wye",
    `<main class="missing"><h1>Nothing here</h1><p>This server has no such page. <a href="/">Back to the start</a></p></main>`,
  );
}

function card({ id, title, summary, packages, links }: Leg): string {
  const names = packages.map((name) => `<li><code>${escapeHtml(name)}</code></li>`).join("");
  const doors = links
    .map(({ label, path }) => `<a href="${escapeHtml(path)}">${escapeHtml(label)}</a>`)
    .join("");
  return `<li class="leg" id="${id}">
    <h3>${escapeHtml(title)}</h3>
    <p>${escapeHtml(summary)}</p>
    <ul class="packages">${names}</ul>
    ${doors ? `<p class="doors">${doors}</p>` : ""}
  </li>`;
}

function figure({ title, figure: { text, date, bench } }: Leg): string {
  return `<div>
    <dt>${escapeHtml(title)}</dt>
    <dd>${escapeHtml(text)} <small>Measured on ${escapeHtml(date)} by <code>npm run bench -- ${escapeHtml(bench)}</code></small></dd>
  </div>`;
}

function firstLines({ title, install }: Leg, snippet: string): string {
  return `<section class="lines">
    <h3>${escapeHtml(title)}</h3>
    <pre tabindex="0"><code>npm install ${escapeHtml(install)}</code></pre>
    <pre tabindex="0"><code>${escapeHtml(snippet.trimEnd())}</code></pre>
  </section>`;
}

function document(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${escapeHtml(title)}</title>
    <link rel="icon" href="/icon.svg">
    <link rel="stylesheet" href="/style.css">
  </head>
  <body>
    ${banner}
    ${body}
  </body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
