import { expect, test } from "vitest";
import { syntaxHint } from "./syntax-hint.js";

const x = "inputs.parameter_values['x']";
const unquoted = (text: string): string => `the operand must not stand in quotes: ${text}`;
const placeholder = (name: string): string =>
  `expressions know no placeholders: inputs.parameter_values['${name}']`;
const logic = "CEL writes && for and, || for or, ! for not";
const list = "a list stands in brackets: in ['a', 'b']";
const equal = "CEL compares with == and !=";
const quote = "a quote inside a text is written \\'";

test.each<[text: string, hint: string | undefined]>([
  ["{{$.inputs.parameters['n']}} == 1", placeholder("n")],
  ["{{$.outputs.x}} == 1", placeholder("name")],
  [`'${x}' == '5'`, unquoted(`${x} == 5`)],
  [`'${x}' >= '-1.5'`, unquoted(`${x} >= -1.5`)],
  [`'${x}' != 'false'`, unquoted(`${x} != false`)],
  [`'${x}' == 'five'`, unquoted(`${x} == 'five'`)],
  [`'${x}' == '5' || y == 'true'`, unquoted(`${x} == 5 || y == true`)],
  [`'string(${x})' == 'a'`, unquoted(`string(${x}) == 'a'`)],
  [`'double(${x})' < '2'`, unquoted(`double(${x}) < 2`)],
  [`${x} == 'it's'`, quote],
  ["'it's'", quote],
  [`${x} in ('a')`, list],
  [`${x} in('a')`, list],
  [`${x} min ('a')`, undefined],
  [`${x} AND y`, logic],
  [`${x} or y`, logic],
  ["Not y", logic],
  ["android y", undefined],
  [`${x} = 1`, equal],
  [`${x} === 1`, equal],
  [`${x} !== 1`, equal],
  [`${x} <> 1`, equal],
  [`${x} is 1`, equal],
  [`${x} island 1`, undefined],
  [`${x} <= == 1`, undefined],
  ["1 +", undefined],
])("%s: %s", (text, hint) => {
  expect(syntaxHint(text)).toBe(hint);
});
