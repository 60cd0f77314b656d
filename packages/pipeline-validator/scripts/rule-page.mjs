// Writes docs/pipelines/rules.md from the rules of the built package, or with --check fails when the page is another.
import { readFileSync, writeFileSync } from "node:fs";
import { examplePipeline, ruleCatalogue } from "../dist/index.js";

const page = new URL("../../../docs/pipelines/rules.md", import.meta.url);

const intro = `\
# Rules

What \`@wye/pipeline-validator\` looks for. There are two profiles: \`kfp\`, the default, is what real files and the open-source
back end do; \`spec\` is the specification document to the letter. A rule can be turned off or changed in severity by the
option \`rules\`. Rules of severity **style** are about what works and could be clearer: they are off, and give remarks when the option
\`style\` is set. A comment turns a rule off for one line:

\`\`\`yaml
# wye-disable-next-line task-name-style
Train_2:
\`\`\`

What makes a whole file unreadable, such as \`yaml-syntax\`, cannot be turned off.

Unless said otherwise, an example is a merge patch (RFC 7396) of the [example pipeline](#the-example-pipeline): it shows what is
changed, and \`null\` removes. A second document is the platform specification. The examples are the tests of the rules: each wrong
one breaks its rule and no other, each right one breaks none.
`;

const forms = {
  patch: "",
  appended: "Here an example is text at the end of the example pipeline.\n\n",
  "runtime-config": "Here an example is a runtime configuration for the example pipeline.\n\n",
};

const severityOf = ({ kfp, spec }) =>
  kfp === spec ? `**${kfp}**` : `**${kfp}** under \`kfp\`, **${spec}** under \`spec\``;

const block = (text) => `\`\`\`yaml\n${text.trim()}\n\`\`\`\n`;

function shorten(text) {
  return text.replace(/(long ){20,}/, "long long long … ");
}

function section({ id, summary, reason, severity, examples }) {
  const besides =
    examples.besides === undefined ? "" : ` (and ${examples.besides.map((one) => `\`${one}\``).join(", ")})`;
  return [
    `### ${id}\n`,
    `${summary} ${severityOf(severity)}\n`,
    `${reason}\n`,
    `Wrong${besides}:\n`,
    block(shorten(examples.wrong)),
    "Right:\n",
    block(examples.right),
  ].join("\n");
}

function table(rules) {
  const rows = rules.map(({ id, summary, severity }) => `| \`${id}\` | ${severity.kfp} | ${summary} |`);
  return ["| code | severity | what is found |", "|---|---|---|", ...rows, ""].join("\n");
}

function group({ title, exampleForm, rules }) {
  const described = rules.every(({ examples }) => examples !== undefined);
  return `## ${title}\n\n${forms[exampleForm]}${described ? rules.map(section).join("\n") : table(rules)}`;
}

const text = [
  intro,
  ...ruleCatalogue().map(group),
  `## The example pipeline\n\n${block(examplePipeline)}`,
].join("\n");

if (process.argv.includes("--check")) {
  if (readFileSync(page, "utf8") !== text) {
    console.error(
      "docs/pipelines/rules.md is stale: run `node scripts/rule-page.mjs` in packages/pipeline-validator",
    );
    process.exitCode = 1;
  }
} else {
  writeFileSync(page, text);
}
