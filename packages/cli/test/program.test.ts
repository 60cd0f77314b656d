import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { fishScript } from "../src/completion/fish-script.js";
import { run } from "../src/index.js";
import { wye } from "./run-program.js";

const commands = [
  [],
  ["pipeline"],
  ...["check", "print", "graph", "explain", "run", "export", "submit", "runs", "wait", "logs", "cancel"].map(
    (name) => ["pipeline", name],
  ),
  ["relay"],
  ["vehicles"],
  ...["serve", "search", "check", "import"].map((name) => ["vehicles", name]),
  ["completion"],
];

describe("help", () => {
  test.each(commands.map((words) => [words.join(" "), words]))(
    "of wye %s is as recorded",
    async (_, words) => {
      const { code, out } = await wye([...words, "--help"]);
      expect(code).toBe(0);
      await expect(out).toMatchFileSnapshot(`../testdata/help/${["wye", ...words].join("-")}.txt`);
    },
  );

  test("of `wye help` is the same as that of --help, for commands of commands too", async () => {
    for (const words of [["pipeline"], ["pipeline", "submit"], ["vehicles", "serve"]]) {
      const asked = await wye(["help", ...words]);
      expect(asked).toEqual(await wye([...words, "--help"]));
      expect(asked.code).toBe(0);
    }
  });

  test.each([
    [["help", "pipelin"], "pipelin", "pipeline"],
    [["help", "pipeline", "chek"], "chek", "check"],
    [["pipeline", "help", "chek"], "chek", "check"],
    [["pipeline", "chek", "--help"], "chek", "check"],
    [["vehicles", "serv", "-h"], "serv", "serve"],
  ])("of a command that is not there is a wrong use: %j", async (words, wrong, right) => {
    const { code, out, err } = await wye(words);
    expect([code, out, err]).toEqual([
      2,
      "",
      expect.stringContaining(`wye: unknown command '${wrong}'\n(Did you mean ${right}?)`),
    ]);
  });

  test("comes for a command below another from there, too", async () => {
    expect(await wye(["pipeline", "help", "check"])).toEqual(await wye(["pipeline", "check", "--help"]));
    expect(await wye(["help"])).toEqual(await wye(["--help"]));
  });

  test.each([
    [["help", "--json"], ["--help"]],
    [
      ["help", "pipeline", "-x", "check"],
      ["pipeline", "--help"],
    ],
    [
      ["pipeline", "help", "check", "pipe-"],
      ["pipeline", "check", "--help"],
    ],
  ])("of a command is all that comes of %j", async (words, same) => {
    expect(await wye(words)).toEqual(await wye(same));
  });

  test("is not given where the name of a command ends otherwise", async () => {
    expect((await wye(["help", "pipeline-"])).err).toContain("wye: unknown command 'pipeline-'");
  });

  test("comes without a command, as a wrong use", async () => {
    const { code, err } = await wye([]);
    expect(code).toBe(2);
    expect(err).toContain("Usage: wye");
  });

  test("follows a command that is not there", async () => {
    const { code, err } = await wye(["pipelin"]);
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/^wye: unknown command 'pipelin'\n\(Did you mean pipeline\?\)/),
    ]);
  });

  test("the version is that of the package", async () => {
    expect((await wye(["--version"])).out).toMatch(/^\d+\.\d+\.\d+\S*\n$/);
  });
});

describe("what should not happen", () => {
  test("ends with 2, and asks for a report", async () => {
    const readInput = () => Promise.reject(new TypeError("no input today"));
    const { code, err } = await wye(["pipeline", "print", "-"], { readInput });
    expect(code).toBe(2);
    expect(err).toMatch(
      /^wye: this should not have happened; please report it\nTypeError: no input today\n {4}at /,
    );
  });

  test("is told although it is no error", async () => {
    const readInput = () => Promise.reject("tired");
    expect(await wye(["pipeline", "print", "-"], { readInput })).toMatchObject({
      code: 2,
      err: "wye: tired\n",
    });
  });
});

describe("completion", () => {
  test.each(["bash", "zsh", "fish"])("%s knows commands and options", async (shell) => {
    const { out } = await wye(["completion", shell]);
    for (const word of ["pipeline", "explain", "max-problems"]) expect(out).toContain(word);
  });

  test.each([
    ["a command", ["pipe"], "pipeline"],
    ["a command below another", ["pipeline", "ch"], "check"],
    ["commands, with help about them", ["help", "vehicles", "s"], "serve search"],
    ["an option", ["pipeline", "check", "--fo"], "--format"],
    ["a value of an option", ["pipeline", "check", "--format", "s"], "sarif"],
    ["a value after =, which bash takes for a word", ["pipeline", "check", "--format", "=", "j"], "json"],
    ["all values after =", ["pipeline", "graph", "--format", "="], "mermaid dot svg json"],
    ["a value after =, where that is no word", ["pipeline", "check", "--format=j"], "--format=json"],
    ["a value of an option that comes later", ["pipeline", "export", "a.yaml", "--to", ""], "argo"],
    ["the words that an argument may be", ["completion", ""], "bash zsh fish"],
    ["files as the value of an option", ["relay", "--config", ""], ""],
    ["files as the value of a short option", ["pipeline", "run", "-p", ""], ""],
    ["files as an argument", ["pipeline", "check", ""], ""],
    ["files after --", ["pipeline", "check", "--", "--f"], ""],
    ["what is left where there is no argument", ["vehicles", "--"], "--help"],
  ])("bash completes %s", async (_, words, completed) => {
    const { out } = await wye(["completion", "bash"]);
    const given = ["wye", ...words].map((word) => `'${word}'`).join(" ");
    const line = `${out}\nCOMP_WORDS=(${given}); COMP_CWORD=${words.length}; _wye; echo "\${COMPREPLY[*]}"`;
    expect(execFileSync("bash", ["-c", line], { encoding: "utf8" })).toBe(`${completed}\n`);
  });

  test("the script for bash has a line for each command, and one for each option that needs a value", async () => {
    const { out } = await wye(["completion", "bash"]);
    const cases = out.split("\n").filter((line) => line.startsWith('    "'));
    expect(cases.filter((line) => line.split(";;").length !== 2 || !line.endsWith(" ;;"))).toEqual([]);
    for (const pattern of ["", "pipeline", "pipeline/check", "vehicles/import"])
      expect(cases.filter((line) => line.startsWith(`    "${pattern}") commands=`))).toHaveLength(1);
    expect(cases).toContain('    "pipeline/run --parameter" | "pipeline/run -p") return ;;');
    // After what may have a value there may be anything.
    expect(out).not.toContain('"pipeline/run --resume"');
  });

  test("fish is told of each word where it may stand, with what it is for and what may follow", async () => {
    const { out } = await wye(["completion", "fish"]);
    const lines = out.split("\n");
    expect([lines.length > 100, lines.at(-1), lines.indexOf("")]).toEqual([true, "", lines.length - 1]);
    const top = "-n 'not __fish_seen_subcommand_from pipeline relay vehicles completion'";
    const below =
      "-n '__fish_seen_subcommand_from vehicles; and not __fish_seen_subcommand_from serve search check import'";
    const at = (...words: readonly string[]) =>
      `-n '${words.map((word) => `__fish_seen_subcommand_from ${word}`).join("; and ")}'`;
    for (const line of [
      `${top} -f -a relay -d 'relay feature flags to SDKs, with the configuration of ld-relay'`,
      `${top} -s V -l version -d 'print the version'`,
      `${top} -l help -d 'show help'`,
      `${below} -f -a search -d 'search a file from the terminal'`,
      `${below} -l help -d 'show help'`,
      `${at("pipeline", "check")} -l format -x -a 'text json sarif github' -d 'how problems are printed'`,
      `${at("pipeline", "check")} -l max-problems -r -d 'how many problems of a file are listed'`,
      `${at("pipeline", "check")} -l quiet -d 'errors only'`,
      `${at("pipeline", "run")} -s p -l parameter -r -d 'a parameter of the pipeline; JSON unless its type is STRING; may be repeated'`,
      `${at("pipeline", "run")} -l resume -d 'go on with a run that was interrupted: the last one, or that in a folder'`,
      `${at("completion")} -f -a 'bash zsh fish'`,
    ])
      expect(lines).toContain(`complete -c wye ${line}`);
  });

  test("fish takes quotes and backslashes for what they are", () => {
    const word = { word: "--a", help: "it's a \\" };
    const words = { after: [], commands: [], options: [word], hasArguments: false, choices: ["x'y"] };
    expect(fishScript([words])).toBe(
      "complete -c wye -f -a 'x\\'y'\ncomplete -c wye -l a -d 'it\\'s a \\\\'\n",
    );
    expect(fishScript([{ ...words, choices: [], options: [{ word: "--a", help: "" }] }])).toBe(
      "complete -c wye -l a\n",
    );
  });

  test("the script for zsh has nothing in it that only bash reads", async () => {
    const { out } = await wye(["completion", "zsh"]);
    // zsh takes what stands after the second colon for a modifier.
    expect(out).not.toMatch(/\[@\]:/);
  });

  test("other shells are refused", async () => {
    expect((await wye(["completion", "tcsh"])).err).toContain("Allowed choices are bash, zsh, fish");
  });
});

test("only the relay takes options as ld-relay has them", async () => {
  expect((await wye(["relay", "-version"])).out).toMatch(/^wye relay \S+\n$/);
  const { code, err } = await wye(["pipeline", "explain", "-version"]);
  expect([code, err]).toEqual([2, expect.stringContaining("unknown option '-version'")]);
});

test.each([
  ["out", ["pipeline", "run", "--help"]],
  ["err", ["pipeline"]],
] as const)("help is as wide as where it is printed: %s", async (where, args) => {
  const linesAt = async (columns: Readonly<Record<"out" | "err", number>>) => {
    const printed = { out: "", err: "" };
    const output = (name: "out" | "err") => ({
      columns: columns[name],
      write: (text: string) => (printed[name] += text),
    });
    await run(args, {
      cwd: "/",
      env: {},
      readInput: async () => undefined,
      interrupted: new AbortController().signal,
      out: output("out"),
      err: output("err"),
    });
    return printed[where].split("\n").length;
  };
  const other = where === "out" ? "err" : "out";
  const narrow = await linesAt({ out: 40, err: 40 });
  expect(await linesAt({ out: 40, err: 40, [other]: 200 })).toBe(narrow);
  expect(await linesAt({ out: 40, err: 40, [where]: 200 })).toBeLessThan(narrow);
});

test("what is told of names moves no cursor", async () => {
  const name = "a\u001b[2K\u0007";
  const { code, err } = await wye(["pipeline", "export", name, "--to", "argo", "--sources", name]);
  const shown = "a\\x1b[2K\\x07";
  expect([code, err]).toEqual([
    2,
    `wye: --sources ${shown}: that file is read; name another one to write to\n`,
  ]);
});
