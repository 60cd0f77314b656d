import type { DocumentProblems } from "./document-problems.js";
import type { Span } from "./line-table.js";

/** What the braces of placeholders hold, of this version or the one before: these are no marks of a template. */
const placeholder = String.raw`\s*\$?\.?(?:inputs|outputs|pipeline_|workspace|workflow|tasks|executor|currentTime|scheduledTime)|\$\}`;

/** A value that Helm, Jinja, ERB or a shell is to fill in, where a value without quotes begins. */
const value = new RegExp(String.raw`(?:^|[:,[{-]) *(?:\{\{(?!${placeholder})|<%|\{%|\$\{[A-Za-z_]\w*\})`);

/** A line that is there for the template alone. */
const line =
  /^[ \t]*(?:- )?(?:\{%|<%|\{\{-|\{\{ *(?:if|else|end|range|with|define|include|template|block|toYaml|\$\w+ *:?=|\/\*)(?=\W))/m;

/** Lines are not looked through any farther than this. */
const farthest = 2_000;

/**
 * Tells of a template that was not filled in by one problem, in place of all that follow from it.
 *
 * @returns true when it is one
 */
export function reportTemplate(text: string, problems: DocumentProblems): boolean {
  const unread = problems.list().find(({ code }) => code === "yaml-syntax" || code === "key-not-text");
  const at = unread?.range?.start.offset;
  if (at === undefined) return false;
  const span = markBefore(text, at) ?? markIn(text, at);
  if (span === undefined) return false;
  problems.clear();
  const hint = "fill it in (with helm template, jinja2, envsubst or the like), and check what comes out";
  problems.error("yaml-syntax", [], "this is a mark of a template", span, hint);
  return true;
}

/** The first line before a place that is there for the template alone. */
function markBefore(text: string, at: number): Span | undefined {
  const found = line.exec(text);
  if (found === null || found.index > at) return undefined;
  return [found.index + found[0].search(/\S/), found.index + found[0].length];
}

/** A value in the line of a place that is to be filled in. */
function markIn(text: string, at: number): Span | undefined {
  const start = text.lastIndexOf("\n", at - 1) + 1;
  const [content = ""] = text.slice(start, start + farthest).split("\n", 1);
  const found = value.exec(content);
  if (found === null) return undefined;
  const from = start + found.index + found[0].search(/\{\{|<%|\{%|\$\{/);
  const [, mark = ""] =
    /^(\{\{[^}]*\}\}|<%[^%]*%>|\{%[^%]*%\}|\$\{\w*\})/.exec(text.slice(from, from + farthest)) ?? [];
  return [from, from + Math.max(2, mark.length)];
}
