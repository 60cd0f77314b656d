import { type ContainerNode, containers } from "../containers.js";
import { quote } from "../quote.js";
import { always, type Rule, type RuleFamily, underKfp } from "../rule.js";

const container = (fields: string) => `deploymentSpec: {executors: {exec-report: {container: {${fields}}}}}`;

const commandJoined: Rule = {
  id: "command-joined",
  summary: "The program and its arguments are elements of their own.",
  reason:
    "The first element is the program as a whole: nothing is called `python train.py`, and the container cannot start.",
  severity: underKfp("error"),
  examples: {
    wrong: container('command: ["python train.py"]'),
    right: container("command: [python, train.py]"),
  },
  *check(index) {
    for (const { spec, path } of index.once(containers)) {
      const [program = ""] = spec.command;
      // A program in a folder may have a blank in its name.
      if (!/^[\w.-]{1,100} \S/.test(program)) continue;
      const message = `there is no program of the name ${quote(program)}`;
      yield { at: `${path}/command/0`, message, hint: "make an element of each word" };
    }
  },
};

const scriptSplit: Rule = {
  id: "shell-script-split",
  summary: "What `sh -c` is to do is one text.",
  reason:
    "The shell takes one element for the script; the others are its arguments, which a script of one word does not read.",
  severity: underKfp("warning"),
  examples: {
    wrong: container("command: [sh, -c, echo, hello]"),
    right: container("command: [sh, -c, echo hello]"),
  },
  *check(index) {
    for (const one of index.once(containers)) {
      const script = scriptOf(one);
      if (script === undefined || !/^[\w./-]{1,200}$/.test(script.text) || !script.hasMore) continue;
      const message = `the shell runs ${quote(script.text)} without what follows`;
      yield { at: script.at, message, hint: "write the script as one text" };
    }
  },
};

/** The script that a shell is given, and whether other elements follow it. */
function scriptOf({ spec: { command, args }, path }: ContainerNode) {
  const all = command.length + args.length;
  const word = (index: number) => command[index] ?? args[index - command.length] ?? "";
  if (!/^(?:\/bin\/)?(?:ba|da|z)?sh$/.test(word(0)) || word(1) !== "-c" || all < 3) return undefined;
  const at = command.length > 2 ? `${path}/command/2` : `${path}/args/${2 - command.length}`;
  return { text: word(2), at, hasMore: all > 3 };
}

const argumentJoined: Rule = {
  id: "argument-joined",
  summary: "An option and its value are two elements, or joined by `=`.",
  reason: "The program gets both as one argument with a blank in it, which few programs take apart.",
  severity: always("style"),
  examples: {
    wrong: container("args: [\"--message {{$.inputs.parameters['message']}}\"]"),
    right: container("args: [\"--message={{$.inputs.parameters['message']}}\"]"),
  },
  *check(index) {
    for (const { spec, path } of index.once(containers)) {
      for (const list of ["command", "args"] as const) {
        for (const [position, text] of spec[list].entries()) {
          const option = /^--?[A-Za-z][\w-]{0,100} (?=\{\{\$)/.exec(text)?.[0].trimEnd();
          if (option === undefined) continue;
          const message = `the program gets ${quote(option)} and its value as one argument`;
          const span = { start: 0, end: option.length };
          yield { at: `${path}/${list}/${position}`, span, message, hint: "make two elements, or write =" };
        }
      }
    }
  },
};

const imageUnpinned: Rule = {
  id: "image-unpinned",
  summary: "An image has a tag other than `latest`, or a digest.",
  reason:
    "What runs changes without a change of the pipeline, and cached results no longer tell what made them.",
  severity: always("style"),
  examples: {
    wrong: container("image: registry.example/report:latest"),
    right: container("image: registry.example/report:1.2"),
  },
  *check(index) {
    for (const { spec, path } of index.once(containers)) {
      const { image } = spec;
      if (image === "" || image.includes("{{") || image.includes("@") || image.startsWith("argostub/"))
        continue;
      const tag = /:([^/:]{1,128})$/.exec(image)?.[1];
      if (tag !== undefined && tag !== "latest") continue;
      const message = `${quote(image)} may be another image tomorrow`;
      yield { at: `${path}/image`, message, hint: "add a tag such as :1.2, or a digest" };
    }
  },
};

/** Rules about what containers run. */
export const commandRules: RuleFamily = {
  title: "Commands",
  rules: [commandJoined, scriptSplit, argumentJoined, imageUnpinned],
};
