import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { archiveOf } from "../../../../scripts/make-archive.js";
import { maxFlagFileBytes, readOfflineData, textOf } from "./read-offline-data.js";

test("a file of flags has a bound, which is told before it is read", async () => {
  await expect(readOfflineData(Buffer.alloc(maxFlagFileBytes + 1), "large.yaml", 1024)).rejects.toThrow(
    "large.yaml has more than 67108864 bytes: that is no file of flags",
  );
  // Read, and found to be no flags.
  await expect(readOfflineData(Buffer.alloc(10, "x"), "small.yaml", 1024)).rejects.toThrow("small.yaml");
});

test("a file of flags may be as large as the bound, and is text in UTF-8, with or without a mark of it", () => {
  expect(textOf(Buffer.alloc(maxFlagFileBytes, " "), "large.yaml")).toHaveLength(maxFlagFileBytes);
  expect(textOf(Buffer.from("\ufeffé: true"), "marked.yaml")).toBe("é: true");
  expect(() => textOf(Buffer.from("é: true", "latin1"), "latin.yaml")).toThrow(
    "latin.yaml is neither an archive (tar, tar.gz) nor text in UTF-8",
  );
});

test("what is wrong with a file is told with its name, whatever it is", async () => {
  for (const [bytes, says] of [
    [Buffer.alloc(0), "file is empty"],
    [Buffer.from([0x1f, 0x8b, 0]), "file: the archive cannot be read"],
    [Buffer.from([0x1f, 0xff]), "file is neither an archive"],
    [Buffer.from("5"), "file:1: there are no flags"],
  ] as const)
    await expect(readOfflineData(bytes, "file", 1024)).rejects.toMatchObject({
      code: "malformed_data",
      message: expect.stringContaining(says),
    });
});

test("an archive may take maxBytes when it is unpacked, and not one more", async () => {
  const archive = archiveOf();
  const { length } = gunzipSync(archive);
  await expect(readOfflineData(archive, "a.tar.gz", length)).resolves.toMatchObject({ format: "archive" });
  await expect(readOfflineData(archive, "a.tar.gz", length - 1)).rejects.toThrow(
    `unpacked it has more than ${length - 1} bytes`,
  );
});
