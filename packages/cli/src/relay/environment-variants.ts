import type { Config } from "./config/config.js";
import { environmentFrom } from "./environment-options.js";

/** An environment of the file, or one payload filter of it, as stores are told of it. */
export interface Variant {
  /** The name in the file. */
  readonly name: string;
  readonly environment: string;
  readonly envId: string | undefined;
  readonly filter: string | undefined;
}

/** All that keep their flags each in a place of its own. */
export function variantsIn(config: Config): readonly Variant[] {
  return config.namesOf("Environment").flatMap((name) => {
    const { envId, filters } = environmentFrom(config, name, {});
    return [
      { name, environment: name, envId, filter: undefined },
      ...filters.map((filter) => ({ name, environment: `${name}/${filter}`, envId, filter })),
    ];
  });
}
