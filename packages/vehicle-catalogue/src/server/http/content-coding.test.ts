import { expect, test } from "vitest";
import { type ContentCoding, negotiateCoding } from "./content-coding.js";

const both: readonly ContentCoding[] = ["br", "gzip"];

test.each<[accepted: string | null | undefined, chosen: ContentCoding]>([
  [undefined, "identity"],
  [null, "identity"],
  ["", "identity"],
  ["gzip", "gzip"],
  ["GZIP", "gzip"],
  ["x-gzip", "gzip"],
  ["deflate", "identity"],
  ["gzip, br", "br"],
  ["gzip, br;q=0.9", "gzip"],
  ["gzip;q=0.5, br;q=0.5", "br"],
  ["*", "br"],
  ["*, br;q=0", "gzip"],
  ["*;q=0, gzip;q=0.1", "gzip"],
  ["*;q=0", "identity"],
  ["gzip;q=0", "identity"],
  ["gzip;q=0.001", "gzip"],
  ["identity, gzip", "gzip"],
  ["identity;q=0.5, gzip;q=0.5", "gzip"],
  ["identity, gzip;q=0.9", "identity"],
  ["identity;q=0, gzip;q=0.1", "gzip"],
  ["identity;q=0.5, *;q=0.4", "identity"],
])("of br and gzip, %j takes %s", (accepted, chosen) => {
  expect(negotiateCoding(accepted, both)).toBe(chosen);
});

test("what is not available is not chosen", () => {
  expect(negotiateCoding("br, gzip;q=0.5", ["gzip"])).toBe("gzip");
  expect(negotiateCoding("br, *", ["gzip"])).toBe("gzip");
  // A star says nothing of what is not compressed.
  expect(negotiateCoding("gzip;q=0.3, *", ["gzip"])).toBe("gzip");
  expect(negotiateCoding("br", ["gzip"])).toBe("identity");
  expect(negotiateCoding("br, gzip", [])).toBe("identity");
});
