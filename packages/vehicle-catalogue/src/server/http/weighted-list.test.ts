import { expect, test } from "vitest";
import { parseWeightedList } from "./weighted-list.js";

/** What was read, as short as it can be written: value, parameters, weight. */
const read = (header: string) =>
  parseWeightedList(header).map(
    ({ value, parameters, weight }) => `${value} ${JSON.stringify(Object.fromEntries(parameters))} ${weight}`,
  );

test.each<[string, string[]]>([
  ["", []],
  [" , ;q=0.5,,", []],
  ["gzip", ["gzip {} 1"]],
  ["GZip, br", ["gzip {} 1", "br {} 1"]],
  ["gzip;q=0", ['gzip {"q":"0"} 0']],
  ["gzip;Q=0", ['gzip {"q":"0"} 0']],
  ["gzip ; q = 0.25 ;", ['gzip {"q":"0.25"} 0.25']],
  ["a;Ext=Upper", ['a {"ext":"Upper"} 1']],
  ["a;flag", ['a {"flag":""} 1']],
  ["a;x=1=2", ['a {"x":"1=2"} 1']],
  ['a;x="b, c;d";q=0.1,e', ['a {"x":"b, c;d","q":"0.1"} 0.1', "e {} 1"]],
  ['a;x="b\\"c, d",e', ['a {"x":"b\\"c, d"} 1', "e {} 1"]],
  ['a;x="b\\\\",e', ['a {"x":"b\\\\"} 1', "e {} 1"]],
  ['a;x=""', ['a {"x":""} 1']],
  ['a;x="', ['a {"x":"\\""} 1']],
  ['a;x=b"', ['a {"x":"b\\""} 1']],
  ['a;x="b', ['a {"x":"\\"b"} 1']],
])("%j", (header, expected) => {
  expect(read(header)).toEqual(expected);
});

test.each<[string, number]>([
  ...(["0", "0.", "0.0", "0.000"] as const).map((q): [string, number] => [q, 0]),
  ...(["1", "1.", "1.000"] as const).map((q): [string, number] => [q, 1]),
  ["0.001", 0.001],
  ["0.999", 0.999],
  ['"0.5"', 0.5],
  // What is no weight says nothing.
  ...(["0.0001", "1.0001", "1.001", "2", "-0", "00", ".5", "x", "", "0.5x", "x0.5"] as const).map(
    (q): [string, number] => [q, 1],
  ),
])("the weight %s is %d", (q, weight) => {
  expect(parseWeightedList(`a;q=${q}`)[0]?.weight).toBe(weight);
});

test("of two weights the last one counts", () => {
  expect(read("a;q=0.1;q=0.2")).toEqual(['a {"q":"0.2"} 0.2']);
});
