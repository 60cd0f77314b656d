/**
 * The metrics of several relays as those of one, in the text format of Prometheus: counters, gauges and histograms of workers all
 * add up. Series keep the order in which they were first seen, under the lines that explain them.
 */
export function sumMetrics(texts: readonly string[]): string {
  const lines = new Map<string, number | undefined>();
  for (const text of texts)
    for (const line of text.split("\n")) {
      if (line === "") continue;
      const end = line.lastIndexOf(" ");
      if (line.startsWith("#")) lines.set(line, undefined);
      else lines.set(line.slice(0, end), (lines.get(line.slice(0, end)) ?? 0) + Number(line.slice(end + 1)));
    }
  return grouped([...lines]);
}

/** A series that only a later worker has stands beside those of its name. */
function grouped(lines: readonly (readonly [string, number | undefined])[]): string {
  const groups = new Map<string, string[]>();
  for (const [series, value] of lines) {
    const name = value === undefined ? (series.split(" ")[2] ?? "") : familyOf(series, groups);
    const group = groups.get(name) ?? [];
    groups.set(name, group);
    group.push(value === undefined ? series : `${series} ${value}`);
  }
  return [...groups.values()]
    .flat()
    .map((line) => `${line}\n`)
    .join("");
}

function familyOf(series: string, groups: ReadonlyMap<string, unknown>): string {
  const [name = ""] = series.split("{");
  const base = name.replace(/_(?:bucket|sum|count)$/, "");
  return groups.has(name) ? name : base;
}
