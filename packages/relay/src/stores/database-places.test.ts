import { expect, test } from "vitest";
import { createDatabasePlaces } from "./database-places.js";

test("a place is one environment's until it has let go of it as often as it took it", () => {
  const places = createDatabasePlaces();
  const [first, second] = [places.claim("h", "flags", "a"), places.claim("h", "flags", "a")];
  const taken = `"b" and "a" would overwrite each other's flags: give each a place of its own, or put $CID into it`;
  const claim = () => places.claim("h", "flags", "b");
  expect(claim).toThrow(taken);
  first();
  // Whoever lets go twice lets go of nothing else.
  first();
  expect(claim).toThrow(taken);
  second();
  claim()();
  places.claim("h", "flags", "c");
});

test("another server and another place there are free, also while somebody else leaves", () => {
  const places = createDatabasePlaces();
  const connection = {};
  const release = places.claim(connection, "flags", "a");
  places.claim({}, "flags", "b");
  places.claim(connection, "big segments", "c");
  release();
  expect(() => places.claim(connection, "big segments", "d")).toThrow('"d" and "c"');
});
