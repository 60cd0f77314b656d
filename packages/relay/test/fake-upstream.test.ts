import { expect, onTestFinished, test } from "vitest";
import { createFakeUpstream } from "../src/testing/fake-upstream.js";

test("a stand-in on a port that is taken cannot be made", async () => {
  const first = await createFakeUpstream();
  onTestFinished(() => first.close());
  await expect(createFakeUpstream({}, Number(new URL(first.url).port))).rejects.toMatchObject({
    code: "EADDRINUSE",
  });
});
