/** The looks of what `drawRun` draws. The page has the colours `--ground`, `--card`, `--ink`, `--soft` and `--link`. */
export const graphStyle = `
[data-state] { --state: light-dark(#5d646b, #a3abb2); --wash: var(--card); }
[data-state=QUEUED], [data-state=PENDING] { --wash: var(--ground); }
[data-state=RUNNING], [data-state=CANCELLING] { --state: light-dark(#0b5cad, #82b8f2); --wash: light-dark(#e8f1fb, #16283a); }
[data-state=SUCCEEDED] { --state: light-dark(#1a7040, #6fcf97); --wash: light-dark(#e9f6ee, #15291d); }
[data-state=FAILED] { --state: light-dark(#b3261e, #ff9a90); --wash: light-dark(#fdecea, #3a1a18); }
[data-state=CANCELLED] { --state: light-dark(#85520a, #f0b968); --wash: light-dark(#fdf3e1, #33260f); }
.graph { display: block; margin: auto; }
.graph text { fill: var(--ink); font: 600 13px ui-monospace, monospace; }
.graph .note { fill: var(--soft); font-weight: 400; font-size: 11.5px; }
.graph .sign { fill: var(--state); }
.graph .face { fill: var(--wash); stroke: var(--state); stroke-width: 1.3; }
.graph .box[data-state=PENDING] .face { stroke-dasharray: 4 3; }
.graph a:focus-visible { outline: none; }
.graph a:focus-visible .face { stroke: var(--link); stroke-width: 3.5; }
.graph a:hover .face { stroke-width: 2.5; }
.arrow { fill: none; stroke: var(--soft); stroke-width: 1.3; opacity: .75; }
`;

/** The looks of a report. The colours of states hold for the graph, the rows and the words. */
export const reportStyle: string = `
:root { color-scheme: light dark;
  --ground: light-dark(#fbfaf7, #14171a); --card: light-dark(#fff, #1c2126); --line: light-dark(#ddd8cd, #343c44);
  --ink: light-dark(#22262a, #e8e6e1); --soft: light-dark(#5d646b, #a3abb2); --link: light-dark(#0b5cad, #82b8f2); }
${graphStyle}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main, header { max-width: 1280px; margin: 0 auto; padding: 0 1rem; }
header { padding-top: 1.2rem; }
h1 { font-size: 1.5rem; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 1.6rem 0 .5rem; }
header p { margin: .2rem 0; color: var(--soft); }
.outcome { color: var(--state); font-weight: 600; }
.failure, .plain { border: 1px solid var(--line); border-radius: 8px; background: var(--card); padding: .6rem .9rem; overflow-wrap: anywhere; }
.failure { border-color: var(--state); background: var(--wash); margin-top: 1rem; }
.failure p { margin: 0; }
a { color: var(--link); }
.scroll { overflow: auto; max-height: 75vh; border: 1px solid var(--line); border-radius: 8px; background: var(--ground); }
.rows { list-style: none; margin: 0; padding: 0; }
.rows .rows { margin-left: .9rem; border-left: 2px solid var(--line); padding-left: .3rem; }
.rows li { border-top: 1px solid var(--line); }
.many li { content-visibility: auto; contain-intrinsic-size: auto 2.1rem; }
summary { display: grid; grid-template-columns: 1.4rem minmax(0, 3fr) minmax(7rem, 1.4fr) minmax(0, 4fr) 6.5rem; gap: .6rem; align-items: center;
  padding: .25rem .3rem; cursor: pointer; list-style: none; }
summary::-webkit-details-marker { display: none; }
summary:hover { background: var(--card); }
summary:focus-visible { outline: 2px solid var(--link); outline-offset: -2px; }
details:target > summary { background: light-dark(#fff3c4, #3d3610); }
summary .sign { color: var(--state); font-weight: 700; text-align: center; }
summary .name { overflow-wrap: anywhere; }
summary .state { color: var(--state); font-size: .85rem; }
summary .time { text-align: right; color: var(--soft); font-variant-numeric: tabular-nums; font-size: .85rem; }
.chart { display: block; width: 100%; height: 14px; }
.chart .runs { fill: var(--state); }
.chart .failed { fill: light-dark(#b3261e, #ff9a90); }
.chart .waits { fill: var(--soft); opacity: .6; }
.details { padding: .2rem .4rem .7rem 2.3rem; overflow-wrap: anywhere; }
.details p { margin: .2rem 0; }
.label { font-weight: 600; font-size: .85rem; color: var(--soft); }
dl { display: grid; grid-template-columns: minmax(5rem, max-content) minmax(0, 1fr); gap: .15rem 1rem; margin: 0; font: 13px/1.5 ui-monospace, monospace; }
dt { color: var(--soft); overflow-wrap: anywhere; max-width: 40ch; }
dd { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.log { margin: .4rem 0 0; padding: .5rem .7rem; border: 1px solid var(--line); border-radius: 6px; background: var(--card); font: 12.5px/1.45 ui-monospace, monospace;
  white-space: pre-wrap; overflow-wrap: anywhere; }
.legend { color: var(--soft); font-size: .85rem; margin: 0 0 .5rem; }
footer { padding: 2rem 1rem; }
@media (max-width: 640px) {
  summary { grid-template-columns: 1.4rem minmax(0, 1fr) auto; gap: .1rem .5rem; }
  summary .state { grid-column: 2; }
  summary .chart { grid-column: 1 / -1; order: 1; height: 8px; }
  summary .time { grid-column: 3; grid-row: 1; }
  .rows .rows { margin-left: .3rem; }
  .details { padding-left: .5rem; }
  dl { grid-template-columns: minmax(0, 1fr); }
  dd { margin-bottom: .3rem; }
}
@media print { .scroll { max-height: none; } }
`;
