// What hosts and authors of stores need to test with real HTTP and without waiting.
export { bigSegmentStoreContract } from "./big-segment-store-contract.js";
export { completeItem } from "./complete-item.js";
export type { FakeAutoConfig, FakeConfiguration } from "./fake-auto-config.js";
export type { FakeData, FakeEnvironment, FakeItem } from "./fake-environment.js";
export type { FakeStream, StreamAnswer } from "./fake-stream.js";
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
export { createStoreContext, type StoreContextOptions } from "./store-context.js";
