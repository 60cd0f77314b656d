// Writes the pages about the rules from those of the built package, one for each family, and the page that lists them; with --check
// fails when any of them is another.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { examplePipeline, ruleCatalogue } from "../dist/index.js";

const folder = new URL("../../../docs/pipelines/", import.meta.url);

const intro = `\
# Rules

What \`@wye/pipeline-validator\` looks for, by family: each rule has its reason and two examples on the page of its family, to which
SARIF logs and editors link. There are two profiles: \`kfp\`, the default, is what real files and the open-source
back end do; \`spec\` is the specification document to the letter. A rule can be turned off or changed in severity by the
option \`rules\`. Rules of severity **style** are about what works and could be clearer: they are off, and give remarks when the option
\`style\` is set. A comment turns a rule off for one line:

\`\`\`yaml
# wye-disable-next-line task-name-style
Train2:
\`\`\`

What makes a whole file unreadable, such as \`yaml-syntax\`, cannot be turned off.

Unless said otherwise, an example is a merge patch (RFC 7396) of the [example pipeline](#the-example-pipeline): it shows what is
changed, and \`null\` removes. A second document is the platform specification. The examples are the tests of the rules: each wrong
one breaks its rule and no other, each right one breaks none.
`;

const forms = {
  patch: "The examples are merge patches of the [example pipeline](../rules.md#the-example-pipeline).",
  appended: "The examples are text at the end of the [example pipeline](../rules.md#the-example-pipeline).",
  "runtime-config":
    "The examples are runtime configurations for the [example pipeline](../rules.md#the-example-pipeline).",
};

const severityOf = ({ kfp, spec }) =>
  kfp === spec ? `**${kfp}**` : `**${kfp}** under \`kfp\`, **${spec}** under \`spec\``;

const block = (text) => `\`\`\`yaml\n${text.trim()}\n\`\`\`\n`;

function shorten(text) {
  return text.replace(/(long ){20,}/, "long long long … ");
}

function section({ id, summary, reason, severity, examples }) {
  if (examples === undefined) return `## ${id}\n\n${summary} ${severityOf(severity)}\n`;
  const besides =
    examples.besides === undefined ? "" : ` (and ${examples.besides.map((one) => `\`${one}\``).join(", ")})`;
  return [
    `## ${id}\n`,
    `${summary} ${severityOf(severity)}\n`,
    `${reason}\n`,
    `Wrong${besides}:\n`,
    block(shorten(examples.wrong)),
    "Right:\n",
    block(examples.right),
  ].join("\n");
}

function familyPage({ title, exampleForm, rules }) {
  const described = rules.every(({ examples }) => examples !== undefined);
  const first = described
    ? forms[exampleForm]
    : "What the reader of files reports, before any rule is asked.";
  return [`# ${title}\n`, `${first} [All rules](../rules.md)\n`, ...rules.map(section)].join("\n");
}

/** The list keeps an anchor for each rule, to which links led when all of them stood on this page. */
function listOf({ title, page, rules }) {
  const rows = rules.map(
    ({ id, summary, severity }) =>
      `| <a id="${id}"></a>[\`${id}\`](./rules/${page}.md#${id}) | ${severity.kfp} | ${summary} |`,
  );
  const head = ["| rule | severity | what holds |", "|---|---|---|"];
  return [`## ${title}\n`, ...head, ...rows, ""].join("\n");
}

const groups = ruleCatalogue();
const pages = new Map([
  [
    "rules.md",
    [intro, ...groups.map(listOf), `## The example pipeline\n\n${block(examplePipeline)}`].join("\n"),
  ],
  ...groups.map((group) => [`rules/${group.page}.md`, familyPage(group)]),
]);

mkdirSync(new URL("rules/", folder), { recursive: true });
const others = readdirSync(new URL("rules/", folder))
  .map((name) => `rules/${name}`)
  .filter((name) => !pages.has(name));

if (process.argv.includes("--check")) {
  const isStale = ([name, text]) =>
    !existsSync(new URL(name, folder)) || readFileSync(new URL(name, folder), "utf8") !== text;
  const stale = [...[...pages].filter(isStale).map(([name]) => name), ...others];
  if (stale.length > 0) {
    const remedy = "run `node scripts/rule-page.mjs` in packages/pipeline-validator";
    console.error(`stale in docs/pipelines: ${stale.join(", ")}: ${remedy}`);
    process.exitCode = 1;
  }
} else {
  for (const name of others) rmSync(new URL(name, folder));
  for (const [name, text] of pages) writeFileSync(new URL(name, folder), text);
}
