import { didYouMean } from "@wye/pipeline-spec";
import { type RuleDescription, ruleCatalogue } from "@wye/pipeline-validator";
import { type ExitCode, UsageError } from "../exit-code.js";
import type { Host } from "../host.js";

/** Says what a rule is about, or lists all. */
export function explainRule(
  id: string | undefined,
  { json }: { readonly json?: boolean },
  { out }: Host,
): ExitCode {
  const groups = ruleCatalogue();
  const rules = groups.flatMap((group) => group.rules);
  if (id === undefined) {
    if (json) out.write(`${JSON.stringify(groups, undefined, 2)}\n`);
    else for (const { title, rules: own } of groups) out.write(`${title}\n${own.map(line).join("")}\n`);
    return 0;
  }
  const rule = rules.find((one) => one.id === id);
  if (rule === undefined) {
    const near = didYouMean(
      id,
      rules.map((one) => one.id),
    );
    throw new UsageError(
      `there is no rule ${JSON.stringify(id)}${near ? `; did you mean ${near}?` : "; without an id all are listed"}`,
    );
  }
  out.write(json ? `${JSON.stringify(rule, undefined, 2)}\n` : textOf(rule));
  return 0;
}

const line = ({ id, summary }: RuleDescription) => `  ${id.padEnd(34)} ${summary}\n`;

/** Nothing can be read of a file with such a problem. */
const final: ReadonlySet<string> = new Set([
  ...["empty", "no-specification", "not-a-pipeline", "not-text", "too-large", "version-1", "yaml-syntax"],
]);

function textOf({ id, summary, reason, severity, examples }: RuleDescription): string {
  const { kfp, spec } = severity;
  const level = kfp === spec ? kfp : `${kfp}; ${spec} with --profile spec`;
  const shown = examples ? `\nWrong:\n${indented(examples.wrong)}\nRight:\n${indented(examples.right)}` : "";
  const off = final.has(id)
    ? "It cannot be switched off: nothing can be read of such a file."
    : `To switch it off: --rule ${id}=off, or in a file the comment "# wye-disable-next-line ${id}".`;
  return `${id} (${level})\n\n${summary}\n${reason}\n${shown}\n${off}\n`;
}

function indented(text: string): string {
  return `${text
    .trimEnd()
    .split("\n")
    .map((one) => `  ${one}`)
    .join("\n")}\n`;
}
