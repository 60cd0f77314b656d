// What hosts and authors of stores need to test with real HTTP and without waiting.
export { bigSegmentStoreContract } from "./big-segment-store-contract.js";
export { completeItem } from "./complete-item.js";
export type { FakeData, FakeEnvironment, FakeItem, StreamAnswer } from "./fake-environment.js";
export {
  createFakeUpstream,
  type FakeAnswer,
  type FakeUpstream,
  type FakeUpstreamOptions,
  type ReceivedPost,
  type ReceivedRequest,
} from "./fake-upstream.js";
export { type ContractCase, flagStoreContract } from "./flag-store-contract.js";
export { createManualClock, type ManualClock } from "./manual-clock.js";
