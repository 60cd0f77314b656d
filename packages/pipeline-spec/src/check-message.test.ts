import { describe, expect, test } from "vitest";
import { checkMessage } from "./check-message.js";
import { DagSpec, PipelineContainerSpec, PipelineTaskSpec, Value } from "./messages.js";
import type { MessageName } from "./read-json.js";

const container = PipelineContainerSpec.create();
const task = PipelineTaskSpec.create();

describe("takes", () => {
  const rows: readonly (readonly [MessageName, object])[] = [
    ["PipelineContainerSpec", container],
    ["PipelineContainerSpec", { ...container, lifecycle: undefined, resources: undefined }],
    // What is below the fields is not looked at.
    ["PipelineContainerSpec", { ...container, env: [5], command: [{}] }],
    ["PipelineTaskSpec", task],
    ["DagSpec", { tasks: { a: 5 } }],
    ["Value", Value.create()],
    ["Value", {}],
    ["RetryPolicy", {}],
    ["ArtifactTypeSchema", { schemaVersion: "" }],
    ["RuntimeArtifact", { name: "", uri: "", properties: {}, customProperties: {} }],
  ];
  test.each(rows)("%s: %o", (name, message) => {
    expect(() => checkMessage("anyone", name, { message })).not.toThrow();
  });
});

describe("refuses, and names the field:", () => {
  const rows: readonly (readonly [MessageName, object, form: string])[] = [
    ["PipelineContainerSpec", {}, "text image"],
    ["PipelineContainerSpec", { ...container, image: 5 }, "text image"],
    ["PipelineContainerSpec", { ...container, command: undefined }, "list command"],
    ["PipelineContainerSpec", { ...container, command: {} }, "list command"],
    ["PipelineContainerSpec", { ...container, args: "a" }, "list args"],
    ["DagSpec", {}, "map tasks"],
    ["DagSpec", { tasks: [] }, "map tasks"],
    ["DagSpec", { tasks: null }, "map tasks"],
    ["PipelineTaskSpec", { ...task, dependentTasks: "a" }, "list dependentTasks"],
  ];
  test.each(rows)("%s: %o has no %s", (name, message, form) => {
    expect(() => checkMessage("anyone", name, { other: 5 } as never)).toThrow(
      new TypeError("anyone takes an object as its other, not the number 5"),
    );
    expect(() => checkMessage("anyone", name, { message })).toThrow(
      new TypeError(
        `anyone takes a message ${name} as its message, and this one has no ${form}: make it by ${name}.create or readJson`,
      ),
    );
  });
});

test("of several arguments each is looked at", () => {
  const good = DagSpec.create();
  expect(() => checkMessage("anyone", "DagSpec", { a: good, b: good })).not.toThrow();
  expect(() => checkMessage("anyone", "DagSpec", { a: good, b: {} })).toThrow(/as its b, .* no map tasks/);
  expect(() => checkMessage("anyone", "DagSpec", { a: {}, b: good })).toThrow(/as its a, .* no map tasks/);
});

test("a message that there is not is told by the name of the check", () => {
  expect(() => checkMessage("anyone", "Nothing" as MessageName, { a: {} })).toThrow(
    new TypeError('checkMessage knows no message called "Nothing"'),
  );
});
