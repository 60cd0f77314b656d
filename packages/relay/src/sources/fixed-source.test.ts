import { expect, test } from "vitest";
import { createFixedSource } from "./fixed-source.js";

const notText = (caller: string) => new RegExp(`${caller}.*\\{"flags":\\{\\}\\}`);

test.each(["{}", '{"flags":{}}', '{"segments":{},"more":1}', '{"more":1,"flags":null}'])(
  "%s are flags",
  async (json) => {
    const { replace } = createFixedSource(json);
    await expect(replace(json)).resolves.toBeUndefined();
  },
);

test.each([
  ['{"a":1}', '"a"'],
  ['{"a":1,"b c":2,"c":3,"d":4}', '"a", "b c", "c"'],
])("%s are none, which is told with the first names that are there instead", async (json, names) => {
  const problem = `there is neither "flags" nor "segments", as in {"flags":{}}, but ${names}; a file of simple values is read by flagFile`;
  const malformed = expect.objectContaining({ code: "malformed_data", message: problem });
  expect(() => createFixedSource(json)).toThrow(malformed);
  await expect(createFixedSource("{}").replace(json)).rejects.toThrow(malformed);
});

test("what is no text is a mistake of who has called", async () => {
  const given = { flags: {} } as never;
  expect(() => createFixedSource(given)).toThrow(TypeError);
  expect(() => createFixedSource(given)).toThrow(notText("createFixedSource"));
  await expect(createFixedSource("{}").replace(given)).rejects.toThrow(notText("replace"));
});
