import { expect, test } from "vitest";
// The site is no package; what builds it is a script.
import { introduction } from "../../docs/llms-texts.mjs";

const pages = [
  {
    name: "a heading and a sentence, without what follows",
    text: "# Vehicles\n\nBoth ends of\none [API](./x.md), v2.1 and `more`. Then more.\n\n## Next\n",
    introduction: { title: "Vehicles", summary: "Both ends of one API, v2.1 and `more`." },
  },
  {
    name: "a sentence that goes on in a list, whole",
    text: "# Relay\n\n## First\n\nThree things:\n\n- one\n",
    introduction: { title: "Relay", summary: "Three things:" },
  },
  {
    name: "the hero of the first page",
    text: "---\nhero:\n  name: Wye\n  text: Pipelines\n  tagline: Take one leg.\n---\n",
    introduction: { title: "Wye", summary: "Take one leg." },
  },
];

for (const { name, text, introduction: expected } of pages) {
  test(`a page is introduced by ${name}`, () => expect(introduction(text)).toEqual(expected));
}
