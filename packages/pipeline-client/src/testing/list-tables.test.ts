import { describe, expect, test } from "vitest";
import type { ListTable } from "./list-columns.js";
import { experimentTable, pipelineTable, recurringRunTable, runTable, versionTable } from "./list-tables.js";

const common = { id: "i", displayName: "d", description: "x", createdAt: 1, namespace: "ns", name: "n" };
const shared = { id: ["UUID", "i"], display_name: ["DisplayName", "d"], created_at: ["CreatedAtInSec", 1] };
const run = {
  ...{ ...common, finishedAt: 2, scheduledAt: 3, storageState: "AVAILABLE", state: "RUNNING" },
  ...{
    experimentId: "e",
    recurringRunId: "rr",
    history: [{ at: 1, state: "PENDING" }],
    tasks: [{ id: "t" }],
  },
};

/** What each list can be asked for: the column of the server, and its value of one row. */
const tables: readonly (readonly [
  table: ListTable<never>,
  row: object,
  columns: Readonly<Record<string, readonly unknown[]>>,
  words: Partial<ListTable<never>>,
])[] = [
  [
    pipelineTable as ListTable<never>,
    common,
    {
      ...{ ...shared, pipeline_id: ["UUID", "i"], description: ["Description", "x"] },
      ...{ name: ["Name", "n"], namespace: ["Namespace", "ns"] },
    },
    {
      ...{ model: "Pipeline", prefix: "pipelines" },
      sortWrapping: "Failed to list pipelines: Failed to list pipelines",
    },
  ],
  [
    versionTable as ListTable<never>,
    { ...common, spec: { a: 1 } },
    {
      ...{ ...shared, pipeline_version_id: ["UUID", "i"], description: ["Description", "x"] },
      ...{ name: ["Name", "n"], status: ["Status", "READY"], pipeline_spec: ["PipelineSpec", '{"a":1}'] },
    },
    {
      ...{ model: "PipelineVersion", prefix: "pipeline_versions" },
      sortWrapping: "Failed to list pipeline versions: Failed to list pipeline versions",
    },
  ],
  [
    experimentTable as ListTable<never>,
    { ...common, lastRunCreatedAt: 5, storageState: "ARCHIVED" },
    {
      ...{ ...shared, experiment_id: ["UUID", "i"], description: ["Description", "x"] },
      ...{ name: ["Name", "d"], display_name: ["Name", "d"], namespace: ["Namespace", "ns"] },
      ...{ last_run_created_at: ["LastRunCreatedAtInSec", 5], storage_state: ["StorageState", "ARCHIVED"] },
    },
    {
      ...{ model: "Experiment", prefix: "experiments" },
      sortWrapping: "List experiments failed: List experiments failed",
    },
  ],
  [
    runTable as ListTable<never>,
    run,
    {
      ...{ ...shared, run_id: ["UUID", "i"], description: ["Description", "x"], name: ["DisplayName", "d"] },
      ...{ finished_at: ["FinishedAtInSec", 2], scheduled_at: ["ScheduledAtInSec", 3] },
      ...{ storage_state: ["StorageState", "AVAILABLE"], status: ["Conditions", "Running"] },
      ...{ state: ["State", "RUNNING"], namespace: ["Namespace", "ns"] },
      ...{ experiment_id: ["ExperimentUUID", "e", false], recurring_run_id: ["JobUUID", "rr", false] },
      state_history: ["StateHistory", '[{"at":1,"state":"PENDING"}]', false],
      runtime_details: ["PipelineRuntimeManifest", '[{"id":"t"}]'],
    },
    { model: "Run", sortWrapping: "Failed to list runs: Failed to list runs" },
  ],
  [
    recurringRunTable as ListTable<never>,
    { ...common, updatedAt: 7 },
    {
      ...{ ...shared, recurring_run_id: ["UUID", "i"], description: ["Description", "x"] },
      ...{ name: ["DisplayName", "d"], updated_at: ["UpdatedAtInSec", 7] },
    },
    { model: "Job", sortWrapping: "Failed to list jobs: Failed to list recurring runs" },
  ],
];

describe("a list can be asked for these columns:", () => {
  test.each(
    tables.map(([table, row, columns, words]) => [table.model, { table, row, columns, words }] as const),
  )("%s", (_, { table, row, columns, words }) => {
    const found = Object.entries(table.columns).map(([name, { field, value, isSortable }]) => [
      name,
      [field, value(row as never), ...(isSortable === undefined ? [] : [isSortable])],
    ]);
    expect(Object.fromEntries(found)).toEqual(columns);
    const { model, prefix, sortWrapping } = table;
    expect({ model, ...(prefix !== undefined && { prefix }), sortWrapping }).toEqual(words);
    expect(table.idOf(row as never)).toBe("i");
  });

  test.each([
    ["CANCELING", "Terminating"],
    ["SUCCEEDED", "Succeeded"],
    ["FAILED", "Failed"],
  ])("the status of a run that is %s is %s", (state, status) => {
    expect(runTable.columns.status?.value({ ...run, state } as never)).toBe(status);
  });
});

test("what is wrong with the options of a list is told with them, or without", () => {
  const none = new URLSearchParams();
  const all = new URLSearchParams({ page_token: "t", page_size: "5", sort_by: "s", filter: "f" });
  const told = (what: string) => [
    `Failed to list ${what} due invalid list options: pageToken: , pageSize: 0, sortBy: , filter: `,
    `Failed to list ${what} due invalid list options: pageToken: t, pageSize: 5, sortBy: s, filter: f`,
  ];
  const plain = "Failed to create list options";
  const recurring = "Failed to list recurring runs due to error parsing the listing options";
  expect(
    [pipelineTable, versionTable, experimentTable, runTable, recurringRunTable].map(({ wrapping }) => [
      wrapping(none),
      wrapping(all),
    ]),
  ).toEqual([
    told("pipelines"),
    told("pipeline versions"),
    [plain, plain],
    [plain, plain],
    [recurring, recurring],
  ]);
});
