import type { Client } from "pg";

/** A statement as it was put, in one line. */
export interface Noted {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** A connection that notes what it is asked, and answers with rows; with none, if nothing is said. */
export function notingClient(answer: (text: string) => readonly object[] | Promise<never> = () => []): {
  readonly client: Client;
  readonly asked: readonly Noted[];
  readonly texts: () => readonly string[];
} {
  const asked: Noted[] = [];
  const query = async (given: string, values: readonly unknown[] = []): Promise<object> => {
    const text = given.replace(/\s+/g, " ");
    asked.push({ text, values });
    const rows = await answer(text);
    return { rows, rowCount: rows.length };
  };
  // Nothing else of a connection is used where this one is.
  const client = { query } as unknown as Client;
  return { client, asked, texts: () => asked.map(({ text }) => text) };
}
