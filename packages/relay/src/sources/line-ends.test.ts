import { createParser } from "eventsource-parser";
import { describe, expect, test } from "vitest";
import { createLineEnds } from "./line-ends.js";

/** What of two events is known after each piece of their text. */
function dispatched(pieces: readonly string[]): string[] {
  const events: string[] = [];
  const lineEnds = createLineEnds();
  const parser = createParser({ onEvent: ({ event, data }) => events.push(`${event}: ${data}`) });
  return pieces.map((piece) => {
    parser.feed(lineEnds(piece));
    return events.join("; ");
  });
}

describe.each([
  ["line feeds", "\n"],
  ["carriage returns", "\r"],
  ["both", "\r\n"],
])("with %s", (_, end) => {
  const first = `event: put${end}data: a${end}data: b${end}${end}`;
  const second = `:${end}event: patch${end}data: c${end}${end}`;

  test("an event is there with its last byte", () => {
    expect(dispatched([first, second])).toEqual(["put: a\nb", "put: a\nb; patch: c"]);
  });

  test("however its text is cut into pieces", () => {
    const text = first + second;
    for (let at = 0; at <= text.length; at++) {
      for (const pieces of [
        [text.slice(0, at), text.slice(at)],
        [text.slice(0, at), "", ...text.slice(at)],
      ]) {
        expect(dispatched(pieces).at(-1), JSON.stringify(pieces)).toBe("put: a\nb; patch: c");
      }
    }
  });
});
