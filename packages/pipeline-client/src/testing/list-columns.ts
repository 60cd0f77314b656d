/** A column of a table: its name in the code of the server, which tokens and messages show, and its value. */
export interface Column<Row> {
  readonly field: string;
  readonly value: (row: Row) => string | number;
  /** False where the server accepts it for an order and then cannot make one. */
  readonly isSortable?: false;
  /** False where there is an order and no filter. */
  readonly isFilterable?: false;
}

/** What can be asked of a list. */
export interface ListTable<Row> {
  /** As the server calls it: `Run`. */
  readonly model: string;
  readonly columns: Readonly<Record<string, Column<Row>>>;
  /** The name of the table, where tokens have it before each column. */
  readonly prefix?: string;
  readonly idOf: (row: Row) => string;
  /** Before the reason, when options of the list are wrong. */
  readonly wrapping: (query: URLSearchParams) => string;
  /** Before the reason, when it cannot be sorted. */
  readonly sortWrapping: string;
}
