import { expect, test } from "vitest";
import { Hearing, type Untold } from "./hearing.js";

const gone = { kind: "NETWORK_ERROR", message: "gone" } as const;

/** What a worker is told, as it is told. */
function listening() {
  const told: Untold[] = [];
  const hearing = new Hearing((untold) => told.push(untold));
  return { hearing, told: () => told.splice(0) };
}

const untold = (what: { readonly [Key in keyof Untold]?: Untold[Key] | readonly string[] }) => {
  const setOf = (of: keyof Untold) => new Set((what[of] ?? []) as readonly string[]);
  const names = what.names === undefined ? undefined : setOf("names");
  return { names, flags: setOf("flags"), problems: setOf("problems"), trouble: what.trouble };
};

test("what was told is not told again, and what comes while a worker is busy is told together", () => {
  const { hearing, told } = listening();
  hearing.changed(["a"], ["a"], ["x is broken"]);
  expect(told()).toEqual([untold({ names: ["a"], flags: ["a"], problems: ["x is broken"] })]);
  hearing.changed(["b"], [], []);
  hearing.changed(["c", "b"], ["c"], ["y is broken"]);
  expect(told()).toEqual([]);
  hearing.heard();
  expect(told()).toEqual([untold({ names: ["b", "c"], flags: ["c"], problems: ["y is broken"] })]);
  hearing.heard();
  expect(told()).toEqual([]);
  hearing.changed([], [], []);
  expect(told()).toEqual([untold({ names: [] })]);
});

test("a trouble is told alone, or behind what was announced before it, and not when it is over", () => {
  const { hearing, told } = listening();
  hearing.troubled(gone);
  expect(told()).toEqual([untold({ trouble: gone })]);
  hearing.troubled(gone);
  hearing.changed(["a"], [], []);
  hearing.heard();
  expect(told()).toEqual([untold({ names: ["a"] })]);
  hearing.changed(["b"], [], []);
  hearing.troubled(gone);
  hearing.heard();
  expect(told()).toEqual([untold({ names: ["b"], trouble: gone })]);
  hearing.heard();
  hearing.heard();
  expect(told()).toEqual([]);
});
