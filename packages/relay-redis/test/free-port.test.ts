import { expect, test } from "vitest";
import { freePort } from "../../../scripts/databases/free-port.js";

test("a port for a server is none that the system gives away, nor is the one that a cluster takes 10,000 above it", async () => {
  for (let round = 0; round < 100; round++) {
    const port = await freePort();
    expect(port).toBeGreaterThan(1024);
    // Linux gives away those from 32,768 on.
    expect(port + 10_000).toBeLessThan(32_768);
  }
});
