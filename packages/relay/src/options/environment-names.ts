import { acceptedCredentials } from "../credentials.js";
import type { ResolvedEnvironment } from "./resolved-options.js";

type Named = readonly [name: string, environment: ResolvedEnvironment];

/** The name of an environment with a payload filter, as the status, metrics and stores call it. */
export function variantName(name: string, filter: string | undefined): string {
  return filter === undefined ? name : `${name}/${filter}`;
}

/** The names of an environment: its own, and one for each payload filter. */
export function variantNames(name: string, { filters }: ResolvedEnvironment): string[] {
  return [undefined, ...filters].map((filter) => variantName(name, filter));
}

/** Environments, and their filters, are told apart by names that people read: gives a sentence for each that cannot be. */
export function unusableNames(environments: readonly Named[]): string[] {
  const unusable = environments
    .filter(([name]) => name === "" || !name.isWellFormed())
    .map(
      ([name]) => `the name of an environment must be text that is not empty, not ${JSON.stringify(name)}`,
    );
  return [...unusable, ...sameNames(environments)];
}

function sameNames(environments: readonly Named[]): string[] {
  const owners = new Map<string, string>();
  return environments.flatMap(([name, environment]) =>
    variantNames(name, environment).flatMap((variant) => {
      const owner = owners.get(variant);
      owners.set(variant, name);
      if (owner === undefined) return [];
      const who =
        owner === name
          ? `environment ${JSON.stringify(name)} has`
          : `environments ${JSON.stringify(owner)} and ${JSON.stringify(name)} both have`;
      return [`${who} a filter or name that makes ${JSON.stringify(variant)} twice; each may be there once`];
    }),
  );
}

/** Each credential may lead to one environment only: gives a sentence for each that leads to two at this moment. */
export function sharedKeys(environments: readonly Named[], now: number): string[] {
  const owners = new Map<string, string>();
  return environments.flatMap(([name, { keys }]) =>
    acceptedCredentials(keys, now).flatMap(({ kind, value }) => {
      const place = JSON.stringify([kind, value]);
      const owner = owners.get(place) ?? name;
      owners.set(place, owner);
      if (owner === name || value === "") return [];
      return [`environments ${JSON.stringify(owner)} and ${JSON.stringify(name)} have the same ${kind}`];
    }),
  );
}
