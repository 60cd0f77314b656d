/** @typedef {import("./bench-harness.ts").BenchRow} BenchRow */

/** @param {number} ms */
const time = (ms) =>
  ms >= 1000
    ? `${(ms / 1000).toPrecision(3)} s`
    : ms >= 1
      ? `${ms.toPrecision(3)} ms`
      : ms >= 1e-3
        ? `${(ms * 1e3).toPrecision(3)} µs`
        : `${(ms * 1e6).toPrecision(3)} ns`;

/** @param {number} n */
const plain = (n) =>
  Math.abs(n) >= 1000 ? Math.round(n).toLocaleString("en") : String(Number(n.toPrecision(3)));

const headings = ["measurement", "contender", "cpu best", "cpu median", "wall median", "ratio (quartiles)"];

/**
 * @param {readonly BenchRow[]} rows
 * @returns {string} a table for a terminal, which is also a Markdown table
 */
export function benchTable(rows) {
  /** @type {string[][]} */
  const lines = [];
  let title;
  for (const row of rows) {
    const ratio = row.baseline
      ? "1"
      : row.ratio
        ? `${row.ratio.median.toFixed(2)} (${row.ratio.low.toFixed(2)}–${row.ratio.high.toFixed(2)})`
        : "";
    const figures =
      row.value === undefined
        ? [time(row.cpu?.best ?? 0), time(row.cpu?.median ?? 0), time(row.wall?.median ?? 0)]
        : [`${plain(row.value)} ${row.unit ?? ""}`.trim(), "", ""];
    lines.push([row.title === title ? "" : row.title, row.name, ...figures, ratio]);
    title = row.title;
  }
  const widths = headings.map((heading, i) =>
    Math.max(heading.length, ...lines.map((line) => line[i]?.length ?? 0)),
  );
  /** @param {string[]} cells */
  const print = (cells) =>
    `| ${cells.map((cell, i) => (i < 2 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join(" | ")} |`;
  const rule = `|${widths.map((width, i) => (i < 2 ? "-".repeat(width + 2) : `${"-".repeat(width + 1)}:`)).join("|")}|`;
  const notes = [...new Set(rows.flatMap(({ title, note }) => (note ? [`${title}: ${note}`] : [])))];
  return [print(headings), rule, ...lines.map(print), ...notes.map((note) => `  ${note}`)].join("\n");
}
