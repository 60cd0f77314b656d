import { describe, expect, test } from "vitest";
import { parseContainerElement } from "../index.js";

const none = (text: string) => `there is no structure ${text}: expected Concat or IfPresent`;
const noPart = (text: string) => `IfPresent has no ${text}: expected InputName, Then and Else`;
const noJson = (text: string) => `the element is no JSON: ${text}`;
const other = "expected a text, Concat or IfPresent";
const noName = "IfPresent needs InputName, the name of an input";
const lists = (count: number) => "[".repeat(count) + "]".repeat(count);

/** An element, the part of it that is told, what is said of that, and what was meant. */
const wrong: readonly (readonly [text: string, at: string, message: string, meant?: string])[] = [
  ['{"Concat": ["a" "b"]}', '"b"]}', noJson("expected , or ]")],
  ['{"Concat": ["a"', "", noJson("expected , or ]")],
  ['{"Concat": ["a",]}', "]}", noJson("expected a value")],
  ['{"Concat": ["a", ', "", noJson("expected a value")],
  ['{"Concat": ["a", "b', '"b', noJson("expected a value")],
  ['{"Concat": ["\\x"]}', '"\\x"]}', noJson("this text holds a wrong escape")],
  ['{"Concat": ["a"]} b', "b", noJson("there is something behind its end")],
  ['{"Concat": [{x}]}', "x}]}", noJson("expected a key in double quotes")],
  ['{"Concat": [{1: 2}]}', "1: 2}]}", noJson("expected a key in double quotes")],
  ['{"Concat": [{"\\x": 2}]}', '"\\x": 2}]}', noJson("expected a key in double quotes")],
  ['{"Concat": [{"IfPresent" 1}]}', "1}]}", noJson("expected :")],
  ['{"Concat": [{"Concat": [] "b"}]}', '"b"}]}', noJson("expected , or }")],
  [`{"Concat": ${lists(65)}}`, `[${"]".repeat(65)}}`, noJson("it is nested too deep")],
  ['{"Concat": "a"}', '"a"', "Concat takes a list"],
  ['{"Concat": [1]}', "1", other],
  ['{"Concat": [-1.5e+3]}', "-1.5e+3", other],
  ['{"Concat": [0E2]}', "0E2", other],
  ['{"Concat": [true]}', "true", other],
  ['{"Concat": [{}]}', "{}", other],
  ['{"Concat": [], "IfPresent": {}}', '{"Concat": [], "IfPresent": {}}', other],
  ['{"Concat": [{"Join": []}]}', '"Join"', none("Join")],
  ['{"Concat": [{"concat": []}]}', '"concat"', none("concat"), "Concat"],
  [
    '{"Concat": [{"Ifpresent": {"InputName": "x", "Then": []}}]}',
    '"Ifpresent"',
    none("Ifpresent"),
    "IfPresent",
  ],
  ['{"IfPresent": []}', "[]", "IfPresent takes an object"],
  ['{"IfPresent": {"Then": "a"}}', '"IfPresent"', noName],
  ['{"IfPresent": {"InputName": 1, "Then": "a"}}', "1", noName],
  ['{"IfPresent": {"InputName": "x"}}', '"IfPresent"', "IfPresent needs Then"],
  ['{"IfPresent": {"InputNam": "x", "Then": "a"}}', '"InputNam"', noPart("InputNam"), "InputName"],
  ['{"IfPresent": {"InputName": "x", "Than": "a"}}', '"Than"', noPart("Than"), "Then"],
  ['{"IfPresent": {"InputName": "x", "Then": "a", "Elze": "b"}}', '"Elze"', noPart("Elze"), "Else"],
  ['{"IfPresent": {"InputName": "x", "Then": "a", "Zzz": "b"}}', '"Zzz"', noPart("Zzz")],
];

describe("a wrong structure is refused in words:", () => {
  for (const [text, at, message, meant] of wrong)
    test(text, () => {
      const { problems } = parseContainerElement(text);
      const hint = meant === undefined ? {} : { hint: `did you mean ${meant}?` };
      const span = problems[0]?.span ?? { start: 0, end: 0 };
      expect(problems).toEqual([{ code: "structure", severity: "error", message, span, ...hint }]);
      expect(text.slice(span.start, span.end)).toBe(at);
    });
});

test("a wrong structure is read as far as it can be, and a text where it cannot", () => {
  const textsOf = (text: string): unknown => {
    const { element } = parseContainerElement(text);
    if (element.kind !== "if-present") return element.kind;
    const parts = (some: typeof element.present) =>
      some.map((one) => (one.kind === "text" ? one.template.text : one.kind));
    return [element.name, parts(element.present), parts(element.absent)];
  };
  const texts = [
    '{"IfPresent": {"InputNam": "x", "Than": "a", "Elze": ["b", ["c", null]]}}',
    '{"IfPresent": {"InputName": "x", "Then": "a", "Than": "b"}}',
    '{"IfPresent": {"Than": "b", "InputName": "x", "Then": "a"}}',
    '{"IfPresent": 1}',
    '{"Concat": 1}',
  ];
  expect(texts.map(textsOf)).toEqual([
    ["x", ["a"], ["b", "c"]],
    ["x", ["a"], []],
    ["x", ["a"], []],
    "text",
    "text",
  ]);
});

describe("a misspelt structure is a text, and told as a warning:", () => {
  const blanks = (count: number) => " ".repeat(count);
  test.each([
    ['{"concat": ["a"]}', "concat", "Concat"],
    ['{"CONCAT": {}}', "CONCAT", "Concat"],
    [' {\t"ifPresent" : {}}', "ifPresent", "IfPresent"],
    ['{"if_present": []}', "if_present", "IfPresent"],
    ['{"If-Present" :[]}', "If-Present", "IfPresent"],
    [`${blanks(100)}{${blanks(100)}"concat"${blanks(100)}:${blanks(100)}[]}`, "concat", "Concat"],
  ])("%s", (text, name, meant) => {
    const { element, problems } = parseContainerElement(text);
    const start = text.indexOf(name) - 1;
    expect(problems).toEqual([
      {
        code: "structure",
        severity: "warning",
        message: `${name} is no structure: the program gets this text as it is`,
        hint: `did you mean ${meant}?`,
        span: { start, end: start + name.length + 2 },
      },
    ]);
    expect(element).toMatchObject({ kind: "text", template: { text }, place: { offset: 0 } });
  });

  test.each([
    '{"concat": "a"}',
    '{"concat": 1}',
    '{"concatenate": []}',
    '{"if__present": {}}',
    'x{"concat": []}',
    '{"Concat" []}',
    `${blanks(101)}{"Concat": []}`,
    `{${blanks(101)}"Concat": []}`,
    `{"Concat"${blanks(101)}: []}`,
    `${blanks(101)}{"concat": []}`,
    `{${blanks(101)}"concat": []}`,
    `{"concat"${blanks(101)}: []}`,
    `{"concat":${blanks(101)}[]}`,
  ])("%s is a text like any other", (text) => {
    expect(parseContainerElement(text)).toMatchObject({
      element: { kind: "text", template: { text } },
      problems: [],
    });
  });
});

describe("a structure is read", () => {
  const blanks = " ".repeat(100);
  test.each([
    [`{"Concat": ${lists(64)}}`, []],
    [`${blanks}{${blanks}"Concat"${blanks}:${blanks}["a"]${blanks}}\r\n`, ["a"]],
    ['{"Concat": [null, "a", [null, ["b", [], "c"]]]}', ["a", "b", "c"]],
    ['{"Concat": ["\\"", "\\u0061", ""]}', ['"', "a", ""]],
  ])("%s", (text, texts) => {
    const { element, problems, text: whole } = parseContainerElement(text);
    const parts = element.kind === "concat" ? element.parts : expect.fail(element.kind);
    expect(parts.map((part) => part.kind === "text" && part.template.text)).toEqual(texts);
    expect([problems, whole]).toEqual([[], text]);
  });

  test("with the places of names, also behind escapes", () => {
    const text =
      '{"IfPresent": {"InputName": "x y", "Then": ["a{{$.inputs.parameters[\'n\']}}", "\\t{{$}}"]}}';
    const { element, placeholders } = parseContainerElement(text);
    const { nameSpan } = element.kind === "if-present" ? element : expect.fail(element.kind);
    const at = ({ start, end }: { readonly start: number; readonly end: number }) => text.slice(start, end);
    expect(at(nameSpan)).toBe("x y");
    expect(placeholders.map(({ span }) => at(span))).toEqual(["{{$.inputs.parameters['n']}}", '"\\t{{$}}"']);
    expect(placeholders.map((one) => one.nameSpan && at(one.nameSpan))).toEqual(["n", undefined]);
  });
});

test.each([
  { text: "x {{$.inputs.parameter[1]}}", at: "{{$.inputs.parameter[1]}}" },
  { text: ' {"Concat": ["a", "b {{$.inputs.parameter[1]}}"]}', at: "{{$.inputs.parameter[1]}}" },
  // Where there are escapes, places inside the text are not those of the element.
  {
    text: '{"Concat": ["\\u0041{{$.inputs.parameter[1]}}"]}',
    at: '"\\u0041{{$.inputs.parameter[1]}}"',
  },
])("a wrong placeholder is told where it stands in the element: $text", ({ text, at }) => {
  const { problems } = parseContainerElement(text);
  const start = text.indexOf(at);
  expect(problems).toEqual([
    {
      code: "unknown",
      severity: "error",
      message: "inputs have no parameter",
      hint: "did you mean parameters?",
      span: { start, end: start + at.length },
    },
  ]);
});
