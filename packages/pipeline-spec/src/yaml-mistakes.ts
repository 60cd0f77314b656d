import type { Composer, CST } from "yaml";
import type { Span } from "./line-table.js";

/** What is wrong with a text in the words of the YAML library. */
export interface YamlMistake {
  readonly code: string;
  readonly message: string;
  readonly pos: Span;
}

/** So many mistakes are looked at: a text with more is no YAML, and each would cost more than the text in which it is. */
const mostMistakes = 1_000;

/** Thrown through the library, for it to stop. */
export class TooManyMistakes extends Error {
  override readonly name = "TooManyMistakes";
}

/** The mistakes of a text. The library makes errors of them, with stacks, and ends with the text only. */
export class YamlMistakes {
  readonly list: YamlMistake[] = [];
  private counted = 0;

  /** Takes what a composer of yaml 2.9 finds; package.json keeps to that version. */
  takeFrom(composer: Composer): void {
    const onError = (source: unknown, code: string, message: string, isWarning?: boolean): void => {
      if (isWarning !== true) this.add({ code, message, pos: spanOf(source) });
    };
    // The member is private in the types only.
    Reflect.set(composer, "onError", onError);
  }

  /** Takes a part that the parser could not read. */
  addToken({ offset, source, message }: CST.ErrorToken): void {
    const told = source === "" ? message : `${message}: ${JSON.stringify(source)}`;
    this.add({ code: "UNEXPECTED_TOKEN", message: told, pos: spanOf({ offset, source }) });
  }

  private add(mistake: YamlMistake): void {
    this.list.push(mistake);
    // This one is none to all readers.
    if (mistake.message.startsWith(commentTooNear)) return;
    if (++this.counted >= mostMistakes) throw new TooManyMistakes();
  }
}

/** How the message of a comment begins that follows a text without a blank. */
export const commentTooNear = "Comments must be separated";

function spanOf(source: unknown): Span {
  if (typeof source === "number") return [source, source + 1];
  if (Array.isArray(source)) {
    const [start = 0, end = start + 1]: readonly number[] = source;
    return [start, end];
  }
  const { offset, source: text } = source as { readonly offset: number; readonly source?: unknown };
  return [offset, offset + (typeof text === "string" ? text.length : 1)];
}
