import { readerProblems, ruleFamilies } from "./rule-table.js";

const pages = "https://github.com/wye/wye/blob/main/docs/pipelines/rules";

/** Title of what is written about the problems of the reader. */
export const formTitle = "Form of the file";

/** The name of the page about a family of rules. */
export function pageOf(title: string): string {
  return title.toLowerCase().replace(/[^a-z0-9]+/g, "-");
}

const titles: ReadonlyMap<string, string> = new Map([
  ...Object.keys(readerProblems).map((id) => [id, formTitle] as const),
  ...ruleFamilies.flatMap(({ title, rules }) => rules.map(({ id }) => [id, title] as const)),
]);

/** Where one can read about the rule of a problem, given its `code`; undefined for rules of one's own. */
export function ruleHelp(code: string): string | undefined {
  const title = titles.get(code);
  return title && `${pages}/${pageOf(title)}.md#${code}`;
}
