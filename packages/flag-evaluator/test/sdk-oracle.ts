import { init, integrations, type LDContext } from "@launchdarkly/node-server-sdk";
import type { BigSegmentStore } from "./big-segment-store.js";

type Items = Readonly<Record<string, object>>;

/** The official server SDK with the same data. */
export interface SdkOracle {
  /** What it says of all flags, in the form of an evaluation response with reasons. */
  evaluateAll(context: object): Promise<Record<string, unknown>>;
  /** What it makes of that itself, for measuring. */
  allFlagsState(context: object, options: object): Promise<object>;
  variationDetail(key: string, context: object): Promise<object>;
  close(): void;
}

/** Starts a client that connects to nothing. The data are copied, because the SDK rewrites what it is given. */
export async function startSdkOracle(
  data: { readonly flags: Items; readonly segments: Items },
  bigSegments?: BigSegmentStore,
): Promise<SdkOracle> {
  const { flags, segments } = structuredClone(data);
  const testData = new integrations.TestData();
  for (const flag of Object.values(flags)) await testData.usePreconfiguredFlag(flag);
  for (const segment of Object.values(segments)) await testData.usePreconfiguredSegment(segment);
  const silent = (): void => {};
  const client = init("sdk-key", {
    updateProcessor: testData.getFactory(),
    sendEvents: false,
    diagnosticOptOut: true,
    logger: { error: silent, warn: silent, info: silent, debug: silent },
    ...(bigSegments === undefined ? {} : { bigSegments: { store: () => sdkStore(bigSegments) } }),
  });
  await client.waitForInitialization({ timeout: 10 });
  const allFlagsState: SdkOracle["allFlagsState"] = (context, options) =>
    client.allFlagsState(context as LDContext, options);
  return {
    allFlagsState,
    variationDetail: (key, context) => client.variationDetail(key, context as LDContext, null),
    close: () => client.close(),
    async evaluateAll(context) {
      const state = await allFlagsState(context, { withReasons: true });
      return Object.fromEntries(
        Object.keys(flags).map((key) => [key, member(JSON.parse(JSON.stringify(state)), key)]),
      );
    },
  };
}

/** Puts together what the SDK writes apart: values by key, and what else there is of each under `$flagsState`. */
function member(
  state: Record<string, unknown> & { $flagsState: Record<string, object> },
  key: string,
): unknown {
  return { value: state[key] ?? null, variation: null, ...state.$flagsState[key] };
}

function sdkStore({ status, membershipOf }: BigSegmentStore) {
  return {
    getMetadata: async () => ({ lastUpToDate: status === "HEALTHY" ? Date.now() : 1 }),
    getUserMembership: async (hash: string) => Object.fromEntries(membershipOf(hash)),
    close: () => {},
  };
}
