import { expect, test } from "vitest";
import { codecs } from "../src/gen/codecs.js";
import * as exported from "../src/index.js";
import { pipelineTypes } from "./oracle.js";

test("every message of the proto file is in the table, has a codec, and is exported under its name", () => {
  const names = pipelineTypes.map(({ name }) => name);
  expect(Object.keys(codecs).sort()).toEqual([...names].sort());
  expect(names.filter((name) => !(name in exported))).toEqual([]);
});

test("fields have the numbers, names and oneofs of the proto file", () => {
  for (const { ours, oracle } of pipelineTypes) {
    const theirs = oracle.desc.fields.map((field) => ({
      name: field.name,
      json: field.jsonName,
      number: field.number,
      oneof: field.oneof?.localName,
      deprecated: field.proto.options?.deprecated ?? false,
    }));
    const own = ours.shape.fields.map(({ name, json, number, oneof, replacedBy }) => ({
      name,
      json,
      number,
      oneof,
      deprecated: replacedBy !== undefined,
    }));
    expect(own).toEqual(theirs.sort((a, b) => a.number - b.number));
  }
});
