import { expect } from "vitest";
import type { Vehicle } from "../../src/index.js";
import type { CatalogueSnapshot } from "../../src/server/index.js";
import { type CatalogueUnderTest, describeCatalogue } from "../../src/testing/index.js";
import { naiveCatalogue } from "./naive-catalogue.js";

/** Makes a catalogue to be checked. */
export type Make = (vehicles: readonly Vehicle[]) => CatalogueUnderTest;

/** Runs the checks whose titles begin so; tells what fails. */
export async function outcomeOf(make: Make, start = ""): Promise<unknown[]> {
  const outcomes: Promise<unknown>[] = [];
  describeCatalogue("a catalogue", make, {
    describe: (_, body) => body(),
    test: (title, body) => {
      if (!title.startsWith(start)) return;
      outcomes.push(
        body().then(
          () => "passes",
          (error: unknown) => (error instanceof Error ? error.message : error),
        ),
      );
    },
  });
  expect(outcomes.length).toBeGreaterThan(0);
  return [...new Set(await Promise.all(outcomes))];
}

export const passes: unknown[] = ["passes"];
export const fails: unknown[] = [expect.stringMatching(/^expected .*, got /s)];

/** A catalogue like a naive one, with something of it replaced. */
export function altered(
  change: (right: CatalogueUnderTest & { snapshot(): CatalogueSnapshot }) => Partial<CatalogueUnderTest>,
): Make {
  return (vehicles) => {
    const right = naiveCatalogue(vehicles);
    // It gives its snapshots at once.
    const snapshot = (): CatalogueSnapshot => right.catalogue.snapshot() as CatalogueSnapshot;
    return { ...right, ...change({ ...right, snapshot }) };
  };
}

/** What is wrong in a snapshot of what is there now; `before` is of what the catalogue was made with. */
export type Change = (right: CatalogueSnapshot, before: CatalogueSnapshot) => Partial<CatalogueSnapshot>;

/** A catalogue with this in its snapshots. */
export const answering = (change: Change): Make =>
  altered(({ snapshot, catalogue }) => {
    const before = snapshot();
    return {
      catalogue: {
        ...catalogue,
        snapshot() {
          const right = snapshot();
          return { ...right, ...change(right, before) };
        },
      },
    };
  });
