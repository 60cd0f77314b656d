import {
  createVehicleClient,
  type RetryEvent,
  type VehicleClient,
  VehicleClientError,
  type VehicleClientOptions,
} from "../../src/client/index.js";
import { FakeClock } from "./fake-clock.js";

export const apiKey = "k3y-th4t-nobody-may-see/+==";

export interface Watched {
  readonly client: VehicleClient;
  readonly clock: FakeClock;
  /** What the client waited for, and why. */
  readonly retries: RetryEvent[];
}

/** A client whose waits pass at once. */
export function clientOf(origin: string, options: Partial<VehicleClientOptions> = {}): Watched {
  const clock = new FakeClock();
  const retries: RetryEvent[] = [];
  const client = createVehicleClient({
    baseUrl: origin,
    apiKey,
    clock,
    ...options,
    hooks: {
      ...options.hooks,
      retry(event) {
        retries.push(event);
        setImmediate(() => clock.advance(event.delayMs));
        return options.hooks?.retry?.(event);
      },
    },
  });
  return { client, clock, retries };
}

/** The error of a call that must fail, and with the client's own error. */
export async function errorOf(call: Promise<unknown>): Promise<VehicleClientError> {
  const outcome: unknown = await call.then(
    (value) => new Error(`the call succeeded: ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
  if (outcome instanceof VehicleClientError) return outcome;
  throw new Error("the call failed otherwise", { cause: outcome });
}

export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}
