import { expect, test } from "vitest";
import { fishScript } from "./fish-script.js";
import type { Words } from "./words.js";

const words = (after: readonly string[], given: Partial<Words> = {}): Words => ({
  after,
  commands: [],
  options: [],
  hasArguments: false,
  choices: [],
  ...given,
});

test("commands are offered where they may stand, until there is one of them", () => {
  const script = fishScript([
    words([], {
      commands: [
        { word: "a", help: "it's a\\b" },
        { word: "c", help: "" },
      ],
    }),
    words(["a"], {
      commands: [
        { word: "b", help: "b of a" },
        { word: "e", help: "e of a" },
      ],
    }),
    words(["a", "b"], { choices: ["x", "y"] }),
    words(["a", "b", "f"], { choices: ["z"] }),
    words(["a", "e"]),
    words(["c"]),
    words(["c", "d"], { choices: ["w"] }),
  ]);
  expect(script.split("\n")).toEqual([
    "complete -c wye -n 'not __fish_seen_subcommand_from a c' -f -a a -d 'it\\'s a\\\\b'",
    "complete -c wye -n 'not __fish_seen_subcommand_from a c' -f -a c",
    "complete -c wye -n '__fish_seen_subcommand_from a; and not __fish_seen_subcommand_from b e' -f -a b -d 'b of a'",
    "complete -c wye -n '__fish_seen_subcommand_from a; and not __fish_seen_subcommand_from b e' -f -a e -d 'e of a'",
    "complete -c wye -n '__fish_seen_subcommand_from a; and __fish_seen_subcommand_from b; and not __fish_seen_subcommand_from f' -f -a 'x y'",
    "complete -c wye -n '__fish_seen_subcommand_from a; and __fish_seen_subcommand_from b; and __fish_seen_subcommand_from f' -f -a 'z'",
    "complete -c wye -n '__fish_seen_subcommand_from c; and __fish_seen_subcommand_from d' -f -a 'w'",
    "",
  ]);
});

test("an option is offered with what may follow it: one of a few words, a file where it has to, or nothing", () => {
  const options = [
    { word: "--file", short: "-f", help: "a file", value: { isRequired: true, choices: [] } },
    { word: "--maybe", help: "", value: { isRequired: false, choices: [] } },
    { word: "--kind", help: "one of two", value: { isRequired: true, choices: ["x", "y"] } },
    { word: "--help", short: "-h", help: "show help" },
  ];
  expect(fishScript([words([], { options })]).split("\n")).toEqual([
    "complete -c wye -s f -l file -r -d 'a file'",
    "complete -c wye -l maybe",
    "complete -c wye -l kind -x -a 'x y' -d 'one of two'",
    "complete -c wye -s h -l help -d 'show help'",
    "",
  ]);
});
