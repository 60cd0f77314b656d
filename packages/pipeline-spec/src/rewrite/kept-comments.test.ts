import { expect, test } from "vitest";
import { type PipelineDraft, rewritePipeline } from "../index.js";

interface Row {
  readonly name: string;
  /** What stands behind `command:`. */
  readonly from: string;
  readonly items: readonly string[];
  readonly to: string;
}

const head = "# head\nroot: {dag: {tasks: {}}}\ndeploymentSpec:\n  executors:\n    e:\n      container:\n";
const fileWith = (list: string): string => `${head}        command:${list}# tail\n`;

const rows: readonly Row[] = [
  // Brackets with an entry in each line.
  {
    name: "the first of the items in brackets goes with its comment",
    from: " [\n          one,   # 1\n          # above two\n          two,   # 2\n          three  # 3\n        ]\n",
    items: ["two", "three"],
    to: " [\n          # above two\n          two,   # 2\n          three  # 3\n        ]\n",
  },
  {
    name: "one in the middle goes with its comment",
    from: " [\n          one,   # 1\n          # above two\n          two,   # 2\n          three  # 3\n        ]\n",
    items: ["one", "three"],
    to: " [\n          one,   # 1\n          # above two\n          three  # 3\n        ]\n",
  },
  {
    name: "the last goes with its comment, and the comma before it",
    from: " [\n          one,   # 1\n          # above two\n          two,   # 2\n          three  # 3\n        ]\n",
    items: ["one", "two"],
    to: " [\n          one,   # 1\n          # above two\n          two   # 2\n        ]\n",
  },
  {
    name: "the last leaves a comma where one was",
    from: " [\n          one, # 1\n          two, # 2\n        ]\n",
    items: ["one"],
    to: " [\n          one, # 1\n        ]\n",
  },
  {
    name: "commas in front of items",
    from: " [ one # 1\n          # own\n          , two # 2\n          ]\n",
    items: ["one"],
    to: " [ one # 1\n          # own\n          ]\n",
  },
  {
    name: "commas in front of what stays",
    from: " [ one # 1\n          # own\n          , two # 2\n          ]\n",
    items: ["two"],
    to: " [ # 1\n          # own\n          two # 2\n          ]\n",
  },
  {
    name: "a comment of several items stays with those that stay",
    from: " [one, two, # both\n          three]\n",
    items: ["one", "three"],
    to: " [one, # both\n          three]\n",
  },
  {
    name: "the lines of an item go with the comment in the last of them",
    from: ' [one, "t\n          wo", # 2\n          three]\n',
    items: ["one", "three"],
    to: " [one,\n          three]\n",
  },
  {
    name: "a new last item comes behind the comment of the one before it",
    from: " [\n          one,   # 1\n          two  # 2\n        ]\n",
    items: ["one", "two", "three", "four"],
    to: " [\n          one,   # 1\n          two,  # 2\n          three,\n          four\n        ]\n",
  },
  {
    name: "a new item in the middle",
    from: " [\n          one, # 1\n          three # 3\n        ]\n",
    items: ["one", "two", "three"],
    to: " [\n          one, # 1\n          two,\n          three # 3\n        ]\n",
  },
  {
    name: "a new item before a comma in a line of its own",
    from: " [ one # 1\n          , three # 3\n          ]\n",
    items: ["one", "two", "three"],
    to: " [ one # 1\n          , two\n          , three # 3\n          ]\n",
  },
  {
    name: "a new first item comes above the comments of the next",
    from: " [\n          # above one\n          one # 1\n        ]\n",
    items: ["zero", "one"],
    to: " [\n          zero,\n          # above one\n          one # 1\n        ]\n",
  },
  {
    name: "an anchor goes with its item, and stays before it",
    from: " [&a one, &b two]\n",
    items: ["two", "three"],
    to: " [&b two, three]\n",
  },
  {
    name: "a comment without a blank before it",
    from: ' [one, "two"# 1\n          ]\n',
    items: ["one"],
    to: " [one # 1\n          ]\n",
  },
  // Lines of a list.
  {
    name: "a new first line comes above the comments of the next",
    from: " # all\n        # above one\n        - one # 1\n",
    items: ["zero", "one"],
    to: " # all\n        - zero\n        # above one\n        - one # 1\n",
  },
  {
    name: "an item like another is put in front",
    from: "\n        - one # 1\n        - two # 2\n",
    items: ["two", "one", "two"],
    to: "\n        - two\n        - one # 1\n        - two # 2\n",
  },
  {
    name: "the first goes, and another comes behind the last",
    from: "\n        - one # 1\n        - two # 2\n        - three # 3\n",
    items: ["two", "three", "four"],
    to: "\n        - two # 2\n        - three # 3\n        - four\n",
  },
  {
    name: "lines for a value with blanks behind it",
    from: "\n        - old   \n        - next # why\n",
    items: ["a\nb", "next"],
    to: "\n        - |-\n          a\n          b\n        - next # why\n",
  },
  {
    name: "lines for a value with a tab behind it",
    from: "\n        - old\t\n        - next # why\n",
    items: ["a\nb", "next"],
    to: "\n        - |-\n          a\n          b\n        - next # why\n",
  },
  {
    name: "the comment behind the sign of lines",
    from: "\n        - |  # why\n          a\n        - |- # more\n          b\n          c\n",
    items: ["x", "c\nd"],
    to: "\n        - x  # why\n        - |- # more\n          c\n          d\n",
  },
  {
    name: "the comment behind the sign of folded lines, with and without digits",
    from: "\n        - >  # why\n          a\n        - >2- # more\n          b\n\n          c\n        - >-\t# most\n          d\n",
    items: ["x", "b\nd", "y"],
    to: '\n        - x  # why\n        - |- # more\n          b\n          d\n        - "y"\t# most\n',
  },
  {
    name: "no lines where a comment would become one of them",
    from: "\n        - old\n          # above next\n        - next # why\n",
    items: ["a\nb", "next"],
    to: '\n        - "a\\nb"\n          # above next\n        - next # why\n',
  },
  {
    name: "no new lines where a comment would become one of them",
    from: "\n        - old\n            # above next\n        - next # why\n",
    items: ["old", "a\nb", "next"],
    to: '\n        - old\n        - "a\\nb"\n            # above next\n        - next # why\n',
  },
  {
    name: "lines before a comment that is less far in",
    from: "\n        - old\n        # above next\n        - next # why\n",
    items: ["a\nb", "next"],
    to: "\n        - |-\n          a\n          b\n        # above next\n        - next # why\n",
  },
  {
    name: "a comment does not become one of the lines before what is removed",
    from: "\n        - |\n          a\n        - old\n            # above next\n        - next # why\n",
    items: ["a\n", "next"],
    to: "\n        - |\n          a\n        # above next\n        - next # why\n",
  },
  {
    name: "empty lines do not come to belong to the lines before what is removed",
    from: "\n        - |+\n          a\n\n        - old\n\n        - next # why\n",
    items: ["a\n\n", "next"],
    to: "\n        - |+\n          a\n\n        - next # why\n",
  },
];

function rewritten(text: string, change: (draft: PipelineDraft) => void) {
  const result = rewritePipeline(text, change);
  return result.ok ? result : expect.unreachable(result.problems[0]?.message);
}

function setCommand({ deployment }: PipelineDraft, items: readonly string[]): void {
  const spec = deployment.executors.e?.spec;
  if (spec?.$case !== "container") expect.unreachable("it is a container");
  spec.value.command = [...items];
}

for (const { name, from, items, to } of rows) {
  for (const lineEnd of ["\n", "\r\n"]) {
    test(`${name} (${JSON.stringify(lineEnd)})`, () => {
      const [before, after] = [from, to].map((list) => fileWith(list).replaceAll("\n", lineEnd));
      const result = rewritten(before ?? "", (draft) => setCommand(draft, items));
      expect(result).toEqual({ ok: true, text: after, keptComments: true });
    });
  }
}
