import type { Board, Refusal } from "../board-api.js";
import type { Flag } from "../flag.js";

/** What became of an edit. */
export type SaveResult =
  | { readonly kind: "saved"; readonly flag: Flag }
  | { readonly kind: "outdated"; readonly flag: Flag }
  | { readonly kind: "refused"; readonly refusal: Refusal };

/** The calls of the board's API, relative to the page, so that both may be mounted anywhere. */
export const boardClient = {
  async board(): Promise<Board> {
    // Our own server's answers; their shapes are tested there.
    return (await json(await fetch("api/board", { cache: "no-store" }))) as Board;
  },

  async reset(): Promise<Board> {
    const headers = { "content-type": "application/json" };
    return (await json(await fetch("api/reset", { method: "POST", headers, body: "{}" }))) as Board;
  },

  /** Replaces a flag, if it still has that version. */
  async save(key: string, text: string, version: number): Promise<SaveResult> {
    let response: Response;
    try {
      response = await fetch(`api/flags/${encodeURIComponent(key)}`, {
        method: "PUT",
        headers: { "content-type": "application/json", "if-match": `"${version}"` },
        body: text,
      });
    } catch {
      return { kind: "refused", refusal: { error: "the server does not answer; nothing was saved" } };
    }
    const answer: unknown = await response.json();
    if (response.ok) return { kind: "saved", flag: answer as Flag };
    const refusal = answer as Refusal;
    return refusal.flag === undefined
      ? { kind: "refused", refusal }
      : { kind: "outdated", flag: refusal.flag };
  },
};

async function json(response: Response): Promise<unknown> {
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  return response.json();
}
