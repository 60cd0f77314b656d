import { ByteWindow, marks } from "./byte-window.js";
import { LikelyBorder } from "./likely-border.js";
import { SharedValues } from "./shared-values.js";

/** Takes the pieces of a JSON text one by one, and an empty one at the end, and gives what it says. */
export type PiecewiseJson<Value = unknown> = Generator<void, Value, Uint8Array>;

/**
 * Parses JSON that comes in pieces, cut anywhere: each item of a list, or of a list directly in an object, when it has come, so
 * that nobody waits for the whole and its text is never in memory beside what it says. What an item is, between its
 * borders, is for `JSON.parse` to judge. Lists and objects within items may be one and the same where they are equal. Throws
 * when it is neither a list nor an object; the message knows no place.
 */
export function* parsedPiecewise(): PiecewiseJson {
  const window = new ByteWindow();
  yield* nextMark(window);
  const value = window.mark === marks.open ? yield* list(window) : yield* object(window);
  while (!window.atEnd()) {
    if (window.mark !== undefined) throw new SyntaxError("There is something behind the end");
    window.add(yield);
  }
  return value;
}

function* nextMark(window: ByteWindow): PiecewiseJson<number | undefined> {
  while (!window.atMark()) window.add(yield);
  return window.mark;
}

function* list(window: ByteWindow): PiecewiseJson<unknown[]> {
  const items: unknown[] = [];
  const values = new SharedValues();
  const add = (item: unknown): void => {
    values.within(item);
    items.push(item);
  };
  let border: LikelyBorder | undefined;
  window.skip(marks.open);
  for (;;) {
    const likely = border?.itemIn(window);
    if (likely !== undefined) {
      add(likely);
      window.skip(marks.comma);
      continue;
    }
    while (!window.atBorder()) window.add(yield);
    const text = window.taken();
    const isLast = window.mark !== marks.comma;
    if (!isLast || items.length > 0 || !/^[ \t\r\n]*$/.test(text)) add(JSON.parse(text));
    if (isLast) break;
    border ??= new LikelyBorder(text);
    window.skip(marks.comma);
  }
  window.skip(marks.close);
  return items;
}

function* object(window: ByteWindow): PiecewiseJson {
  const members: (readonly [name: string, value: unknown])[] = [];
  window.skip(marks.openObject);
  if ((yield* nextMark(window)) !== marks.closeObject) {
    members.push(yield* member(window));
    while ((yield* nextMark(window)) === marks.comma) {
      window.skip(marks.comma);
      yield* nextMark(window);
      members.push(yield* member(window));
    }
  }
  window.skip(marks.closeObject);
  // Of members of one name the last counts, and no name means anything.
  return Object.fromEntries(members);
}

function* member(window: ByteWindow): PiecewiseJson<readonly [name: string, value: unknown]> {
  window.skip(marks.quote);
  while (!window.atEndOfText()) window.add(yield);
  const name: string = JSON.parse(`"${window.taken()}`);
  yield* nextMark(window);
  window.skip(marks.colon);
  if ((yield* nextMark(window)) === marks.open) return [name, yield* list(window)];
  while (!window.atBorder()) window.add(yield);
  return [name, JSON.parse(window.taken())];
}
