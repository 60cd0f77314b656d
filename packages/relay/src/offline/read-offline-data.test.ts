import { expect, test } from "vitest";
import { maxFlagFileBytes, readOfflineData } from "./read-offline-data.js";

test("a file of flags has a bound, which is told before it is read", async () => {
  await expect(readOfflineData(Buffer.alloc(maxFlagFileBytes + 1), "large.yaml", 1024)).rejects.toThrow(
    "large.yaml has more than 67108864 bytes: that is no file of flags",
  );
  // Read, and found to be no flags.
  await expect(readOfflineData(Buffer.alloc(10, "x"), "small.yaml", 1024)).rejects.toThrow("small.yaml");
});
