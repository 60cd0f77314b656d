import { type BigSegmentStore, type FlagStore, parseItem } from "@wye/relay";
import { bigSegmentStoreContract, type ContractCase, flagStoreContract } from "@wye/relay/testing";
import { describe, expect, test } from "vitest";
import { flag, never } from "./store-items.js";

/** Stores of one database. */
export interface DatabaseStores {
  /** So many stores in one place that nobody else has; what they tell is added to `told`. */
  flags(count: number, told: string[]): Promise<readonly FlagStore[]>;
  /** As `flags`; absent for a database that keeps no members. */
  members?(count: number, told: string[]): Promise<readonly BigSegmentStore[]>;
  /** The cases that the database cannot pass, for a reason that the caller gives. */
  readonly except?: readonly string[];
}

/** Relays that share a place. */
const relays = 3;

/** What is only larger than other cases. Where it would take most of the time it is left out, as where hundreds of mistakes are tried. */
export const largerCases: readonly string[] = [
  "thousands of items and large ones are kept whole",
  "a step may add and remove many thousands",
];
const leftOut = process.env.WYE_MUTATION ? largerCases : [];

/** What is promised of every store: the cases of the relay, and what is left out. */
export function describeContracts({ flags, members, except = [] }: DatabaseStores): void {
  describeContract("the contract of stores", flagStoreContract, flags, except);
  if (members !== undefined) {
    describeContract("the contract of big segments", bigSegmentStoreContract, members, except);
  }

  test("what others could not read again is told and left out, and takes nobody with it", async () => {
    const told: string[] = [];
    const [store = expect.fail()] = await flags(1, told);
    const odd = [
      flag("\ud800", 1),
      flag("\udfff", 2),
      parseItem("flags", "a", "null"),
      parseItem("flags", "b", '{"version":"7"}'),
    ];
    await store.replace([...odd, flag("good", 1)], never);
    expect(await store.upsert([...odd, flag("better", 1)], never)).toEqual([]);
    expect((await store.read(never))?.map(({ key }) => key).sort()).toEqual(["better", "good"]);
    expect(told).toHaveLength(8);
    await store.close();
  });
}

function describeContract<Store>(
  name: string,
  contract: readonly ContractCase<Store>[],
  make: (count: number, told: string[]) => Promise<readonly Store[]>,
  except: readonly string[],
): void {
  // However slow the machine is.
  describe(name, { timeout: 300_000 }, () => {
    for (const { name, run } of contract) {
      if (![...except, ...leftOut].includes(name)) test(name, () => run(() => make(relays, [])));
    }
  });
}
