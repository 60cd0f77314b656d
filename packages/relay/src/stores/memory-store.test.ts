import { test } from "vitest";
import { flagStoreContract } from "../testing/flag-store-contract.js";
import { memoryStore } from "./memory-store.js";

for (const { name, run } of flagStoreContract) {
  test(name, () => run(async () => memoryStore()));
}
