import { test } from "vitest";
import { silentLogger } from "../logger.js";
import { bigSegmentStoreContract } from "../testing/big-segment-store-contract.js";
import { createManualClock } from "../testing/manual-clock.js";
import { memoryBigSegmentStore } from "./memory-big-segment-store.js";

const context = {
  environment: "test",
  envId: undefined,
  filter: undefined,
  logger: silentLogger,
  clock: createManualClock(),
};

for (const { name, run } of bigSegmentStoreContract) {
  test(name, () => run(async () => memoryBigSegmentStore(context)));
}
