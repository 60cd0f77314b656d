import fc from "fast-check";
import { expect, test } from "vitest";
import { iterationId, taskId } from "./execution-id.js";
import { placeOf } from "./task-place.js";

test.each([
  ["train", { parent: "", name: "train" }],
  ["sub/train", { parent: "sub", name: "train" }],
  ["loop[12]", { parent: "loop", name: "loop", iteration: 12 }],
  ["loop[12]/loop", { parent: "loop[12]", name: "loop" }],
  ["outer[1]/loop[12]", { parent: "outer[1]/loop", name: "loop", iteration: 12 }],
  ["a%2Fb%5B1%5D", { parent: "", name: "a/b[1]" }],
  ["%", { parent: "", name: "" }],
  ["loop[0]/%", { parent: "loop[0]", name: "" }],
  ["%[3]", { parent: "%", name: "", iteration: 3 }],
])("%s", (id, place) => expect(placeOf(id)).toEqual(place));

test("every name comes back, whatever it is", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string(), fc.nat(), (outer, name, index) => {
      const loop = iterationId(taskId("", outer), index);
      expect(placeOf(taskId(loop, name))).toEqual({ parent: loop, name });
      expect(placeOf(loop)).toEqual({ parent: taskId("", outer), name: outer, iteration: index });
    }),
    { seed: 1607 },
  );
});
