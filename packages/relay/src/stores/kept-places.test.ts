import { expect, test } from "vitest";
import { KeptPlaces } from "./kept-places.js";

test("a place is told apart by its server, whatever stands for that, and by where it is there", () => {
  const places = new KeptPlaces();
  const [one, other, make] = [{}, {}, () => {}];
  const names = [one, other, make, null, "one", "1", undefined].flatMap((server) =>
    ["a", "b"].map((place) => places.nameOf(server, place)),
  );
  expect(new Set(names).size).toBe(names.length);
  expect(places.nameOf(one, "a")).toBe(names[0]);
  expect(places.nameOf("one", "b")).toBe(names[9]);
});

test("who has data somewhere is who was noted last, and ten thousand places are remembered", () => {
  const places = new KeptPlaces();
  const keeper = (identity: string) => ({ identity, filter: undefined });
  places.note("first", keeper("a"));
  places.note("second", keeper("a"));
  places.note("first", keeper("b"));
  expect(places.keeperOf("first")).toEqual(keeper("b"));
  for (let n = 0; n < 9998; n++) places.note(`${n}`, keeper("c"));
  expect(["first", "second"].map((place) => places.keeperOf(place)?.identity)).toEqual(["b", "a"]);
  places.note("last", keeper("d"));
  // The one that was noted longest ago goes.
  expect(["first", "second"].map((place) => places.keeperOf(place)?.identity)).toEqual(["b", undefined]);
});
