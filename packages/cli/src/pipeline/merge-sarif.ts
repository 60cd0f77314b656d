import type { SarifLog } from "@wye/pipeline-validator";

/** Several logs as one with a single run: services take one run per tool. */
export function mergeSarif(logs: readonly SarifLog[]): SarifLog | undefined {
  const [first] = logs;
  const runs = logs.flatMap((log) => log.runs);
  const [run] = runs;
  if (first === undefined || run === undefined) return first;
  const rules = new Map(
    runs.flatMap(({ tool }) => tool.driver.rules.map((rule) => [rule.id, rule] as const)),
  );
  const ids = [...rules.keys()].sort();
  const index = new Map(ids.map((id, i) => [id, i]));
  const results = runs.flatMap((one) =>
    one.results.map((result) => ({ ...result, ruleIndex: index.get(result.ruleId) ?? -1 })),
  );
  const driver = { ...run.tool.driver, rules: ids.flatMap((id) => rules.get(id) ?? []) };
  return { ...first, runs: [{ ...run, tool: { ...run.tool, driver }, results }] };
}
