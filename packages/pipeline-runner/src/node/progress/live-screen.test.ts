import { expect, test } from "vitest";
import { LiveScreen } from "./live-screen.js";

/** A stream that keeps what is written to it, from the second write on not without throwing. */
function failingStream() {
  const written: string[] = [];
  const stream = {
    write: (text: string): boolean => {
      written.push(text);
      if (written.length > 1) throw new Error("it is gone");
      return true;
    },
  };
  return { screen: new LiveScreen(stream), written };
}

test("nothing more is written to a stream that has thrown", () => {
  const { screen, written } = failingStream();
  screen.print(["a"]);
  screen.print(["b"]);
  screen.print(["c"]);
  screen.draw(() => ["d"]);
  screen.end(["e"]);
  expect(written).toEqual(["a\n", "b\n"]);
});
