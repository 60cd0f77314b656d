import { expect, test } from "vitest";
import { loadOptional } from "./load-optional.js";

const missing = Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" });

test("what is there is given", async () => {
  expect(await loadOptional("Redis", ["a"], async () => "module")).toBe("module");
});

test.each([
  [["a"], "Redis needs a package of its own: npm install a"],
  [["a", "b"], "Redis needs packages of its own: npm install a b"],
])("of %j that are not there is said how they are had", async (packages, message) => {
  const loading = loadOptional("Redis", packages, () => Promise.reject(missing));
  await expect(loading).rejects.toMatchObject({ name: "UsageError", message });
});

test.each([new Error("broken"), Object.assign(new Error("broken"), { code: "ERR_OTHER" }), "broken"])(
  "what goes wrong in a package that is there is told as it is: %s",
  async (error) => {
    await expect(loadOptional("Redis", ["a"], () => Promise.reject(error))).rejects.toBe(error);
  },
);
