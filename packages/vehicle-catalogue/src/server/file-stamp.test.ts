import { describe, expect, test } from "vitest";
import { type FileState, fileStamp } from "./file-stamp.js";

const fine: FileState = {
  dev: 1n,
  ino: 2n,
  size: 3n,
  mtimeNs: 1_700_000_000_123_456_789n,
  ctimeNs: 1_700_000_000_123_456_789n,
};
const coarse = { ...fine, mtimeNs: 1_700_000_000_000_000_000n, ctimeNs: 1_700_000_000_000_000_000n };
const now = 1_700_000_000_000;
const old = 1_600_000_000_000_000_000n;

describe("the stamp of a file", () => {
  for (const name of ["dev", "ino", "size", "mtimeNs", "ctimeNs"] as const) {
    test(`changes with ${name}`, () => {
      expect(fileStamp({ ...fine, [name]: 9n }, now)).not.toBe(fileStamp(fine, now));
    });
  }

  test("tells where one number ends and the next begins", () => {
    const names = ["dev", "ino", "size", "mtimeNs", "ctimeNs"] as const;
    for (const [at, name] of names.slice(1).entries()) {
      const before = names[at] ?? "dev";
      const [one, other] = [
        { ...fine, [before]: 1n, [name]: 23n },
        { ...fine, [before]: 12n, [name]: 3n },
      ];
      expect(fileStamp(one, now)).not.toBe(fileStamp(other, now));
    }
  });

  const cases: readonly (readonly [name: string, state: FileState, now: number, isOne: boolean])[] = [
    ["where nanoseconds are counted, at once", fine, now + 200, true],
    ["where seconds are counted, when the second may not be over", coarse, now + 900, false],
    ["where steps of two seconds are counted, when they may not be over", coarse, now + 2000, false],
    ["where seconds are counted, when they are over", coarse, now + 2001, true],
    ["where the times come from a clock that is two seconds ahead", coarse, now - 2000, false],
    ["where the times come from a clock that is further ahead", coarse, now - 2001, true],
    ["where the times come from a clock that is an hour ahead", coarse, now - 3_600_000, true],
    ["of a whole second that only was written to the file", { ...coarse, ctimeNs: fine.ctimeNs }, now, true],
    ["where a file with old contents was put there just now", { ...coarse, mtimeNs: old }, now + 900, false],
    ["where a file with old contents was put there before", { ...coarse, mtimeNs: old }, now + 2001, true],
    [
      "where a file was put there long ago, with contents of now",
      { ...coarse, ctimeNs: old },
      now + 900,
      true,
    ],
    ["of a whole second that only was seen of the file", { ...coarse, mtimeNs: fine.mtimeNs }, now, true],
  ];
  for (const [name, state, at, isOne] of cases) {
    test(`is ${isOne ? "one and the same" : "another with each look"} ${name}`, () => {
      const looks = new Set([fileStamp(state, at), fileStamp(state, at)]);
      expect(looks.size).toBe(isOne ? 1 : 2);
    });
  }
});
