import { expect, test } from "vitest";
import { plainArguments } from "./plain-arguments.js";

test.each<[given: readonly string[], plain: readonly string[]]>([
  [
    ["-config", "f", "-from-env", "-allow-missing-file", "-version"],
    ["--config", "f", "--from-env", "--allow-missing-file", "--version"],
  ],
  [
    ["-config=f", "--config=true"],
    ["--config=f", "--config=true"],
  ],
  [["-config=a\nb"], ["--config=a\nb"]],
  ...["true", "1", "t", "T", "TRUE", "True"].map((yes): [string[], string[]] => [
    [`-from-env=${yes}`, `--allow-missing-file=${yes}`],
    ["--from-env", "--allow-missing-file"],
  ]),
  ...["false", "0", "f", "F", "FALSE"].map((no): [string[], string[]] => [
    [`-from-env=${no}`, `--allow-missing-file=${no}`, "--version"],
    ["--version"],
  ]),
  [
    ["--from-env=yes", "--from-env=", "--from-env=11"],
    ["--from-env=yes", "--from-env=", "--from-env=11"],
  ],
  [
    ["-port", "-check", "--check=1", "from-env", "x-config"],
    ["-port", "-check", "--check=1", "from-env", "x-config"],
  ],
])("%j is %j", (given, plain) => {
  expect(plainArguments(given)).toEqual(plain);
});
