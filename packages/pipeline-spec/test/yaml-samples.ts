import { corpus } from "./corpus.js";
import { blockOf, mutate, pieces, randomNumbers } from "./yaml-mutations.js";

/** The valid files of the corpus that are YAML. */
export const yamlFiles: readonly { readonly name: string; readonly text: string }[] = corpus("valid").filter(
  ({ name }) => name.endsWith(".yaml"),
);

/** Parts of the corpus with mistakes in them, the same for everybody. */
export function* mutatedCorpus(count: number): Generator<string> {
  const random = randomNumbers(1);
  for (let made = 0; made < count; made++) {
    const { text } = yamlFiles[random(yamlFiles.length)] ?? { text: "" };
    yield mutate(random(50) === 0 ? text : blockOf(text, random), random);
  }
}

/** Pieces of YAML in no good order, the same for everybody. */
export function* yamlSoup(count: number): Generator<string> {
  const random = randomNumbers(2);
  for (let made = 0; made < count; made++) yield soup(random);
}

const beginnings = [
  ...[
    "",
    "a:",
    "a: ",
    "- ",
    "a:\n  ",
    "a:\n- ",
    "[",
    "{",
    "{a: ",
    "a:\n  b: ",
    "- - ",
    'a: "',
    "a: '",
    "a: |\n  ",
  ],
  ...["a: >-\n  ", "a: x\n", "a: [", "- a: ", "a: b\n  "],
];

function soup(random: (below: number) => number): string {
  let text = beginnings[random(beginnings.length)] ?? "";
  for (let count = 1 + random(10); count > 0; count--) text += pieces[random(pieces.length)] ?? "";
  // Most of what is never ordinary would hide the rest.
  if (random(3) > 0) text = text.replace(/[\r\t\ufeff&*!%]/g, "");
  const isOpen = text.split(/[[{]/).length > text.split(/[\]}]/).length;
  if (!isOpen || random(2) === 0) return text;
  return text + (text.lastIndexOf("[") > text.lastIndexOf("{") ? "]" : "}");
}
