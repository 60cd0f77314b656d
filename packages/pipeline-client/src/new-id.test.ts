import { expect, test } from "vitest";
import { newId } from "./new-id.js";

test("ids are UUIDs by chance, and no two are the same", () => {
  const ids = Array.from({ length: 500 }, newId);
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  expect(ids.filter((id) => !uuid.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(500);
});
