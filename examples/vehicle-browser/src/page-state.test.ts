import { describe, expect, test } from "vitest";
import { readState, writeState } from "./page-state.js";

const usual = { vehicle: "", compared: "", text: "", brand: "", order: "name" };

describe("addresses", () => {
  const rows = [
    { hash: "", state: {} },
    { hash: "#", state: {} },
    { hash: "#abc-1", state: { vehicle: "abc-1" } },
    { hash: "#a%20b", state: { vehicle: "a b" } },
    { hash: "#%", state: { vehicle: "%" } },
    { hash: "#%E0%A4%A", state: { vehicle: "%E0%A4%A" } },
    { hash: "#vehicle=%&with=%E0%A4%A", state: { vehicle: "%", compared: "\ufffd%A" } },
    { hash: "#vehicle=a&with=b", state: { vehicle: "a", compared: "b" } },
    { hash: "#q=VW+ID3&brand=x&order=range", state: { text: "VW ID3", brand: "x", order: "range" } },
    { hash: "#order=constructor", state: {} },
    { hash: "#unknown=1&__proto__=2", state: {} },
    { hash: "#=", state: {} },
    {
      hash: `#vehicle=${"a".repeat(90_000)}&with=${"b".repeat(201)}&brand=${"c".repeat(500)}`,
      state: { vehicle: "a".repeat(200), compared: "b".repeat(200), brand: "c".repeat(200) },
    },
    { hash: `#${"a".repeat(90_000)}`, state: { vehicle: "a".repeat(200) } },
    { hash: `#q=${"x".repeat(500)}`, state: { text: "x".repeat(200) } },
  ];
  for (const { hash, state } of rows) {
    test(`${JSON.stringify(hash)} is read`, () => expect(readState(hash)).toEqual({ ...usual, ...state }));
  }

  test("are read as they were written", () => {
    const states = [
      {},
      { vehicle: "a=b&c", compared: "#%" },
      { text: "+ & =", brand: "1", order: "year" },
    ] as const;
    for (const state of states) {
      const whole = { ...usual, ...state } as ReturnType<typeof readState>;
      expect(readState(writeState(whole))).toEqual(whole);
    }
  });
});
