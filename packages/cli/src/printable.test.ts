import { expect, test } from "vitest";
import { printable } from "./printable.js";

test("control characters are shown, not obeyed; all else stays", () => {
  expect(printable("a\u001b[2Jb\r\u0007\tü\u009b")).toBe("a\\x1b[2Jb\\x0d\\x07 ü\\x9b");
});
