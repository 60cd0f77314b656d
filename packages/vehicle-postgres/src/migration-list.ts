/** One numbered file of SQL. */
export interface Migration {
  readonly number: number;
  readonly name: string;
}

/** All migrations, in order. Not read from the folder, which a program that is bundled has left behind: whoever only serves needs none of the files. */
export const migrations: readonly Migration[] = [
  "0001-brands-and-vehicles.sql",
  "0002-versions.sql",
  "0003-search-text.sql",
  "0004-lineage.sql",
  "0005-tables-where-they-are.sql",
  "0006-versions-of-transactions.sql",
].map((name) => ({ number: Number.parseInt(name, 10), name }));

/** The number of the newest migration that this package knows. */
export const newestMigration: number = migrations.length;

/** The number of the migration that adds what is searched without memory. */
export const searchTextMigration = 3;
