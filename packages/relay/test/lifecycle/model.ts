import type { Answer, UpstreamListener } from "./scripted-upstream.js";

/** The moment from which a key is unknown; those of `furtherKeys` are in order of their coming. */
export interface ModelKey {
  readonly kind: "sdkKey" | "mobileKey" | "envId";
  readonly value: string;
  readonly expires: number;
  /** Another one has taken its place: lists of further keys do not name it. */
  readonly replaced?: true;
}

interface ModelSource {
  readonly key: string;
  delivered: boolean;
  refused: boolean;
  connected: boolean;
}

interface ModelVariant {
  /** Oldest first. */
  sources: ModelSource[];
  data: number | undefined;
}

interface ModelEnvironment {
  keys: ModelKey[];
  sdkKey: string;
  readonly variants: Map<string, ModelVariant>;
}

const never = Number.POSITIVE_INFINITY;

/**
 * What a relay has to do, said as simply as possible: who may be served, with which data, and whom upstream hears. Time
 * costs nothing here: everything that has expired is found by looking through all of it.
 */
export class Model implements UpstreamListener {
  readonly environments: Map<string, ModelEnvironment> = new Map();
  /** What upstream saw that should not have happened. */
  readonly mistakes: string[] = [];
  closed = false;
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  add(name: string, keys: readonly ModelKey[], filters: readonly string[]): void {
    const sdkKey = keys.find(({ kind }) => kind === "sdkKey")?.value ?? "";
    const environment = { keys: [...keys], sdkKey, variants: new Map<string, ModelVariant>() };
    this.environments.set(name, environment);
    for (const filter of ["", ...filters]) this.#addVariant(environment, filter);
  }

  remove(name: string): void {
    this.environments.delete(name);
  }

  /** Other keys and filters take the place of the present ones. */
  change(name: string, keys: readonly ModelKey[], filters: readonly string[]): void {
    const environment = this.environment(name);
    const sdkKey = keys.find(({ kind }) => kind === "sdkKey")?.value ?? "";
    for (const filter of environment.variants.keys())
      if (filter !== "" && !filters.includes(filter)) environment.variants.delete(filter);
    if (sdkKey !== environment.sdkKey)
      for (const variant of environment.variants.values()) use(variant, sdkKey);
    environment.keys = [...keys];
    environment.sdkKey = sdkKey;
    for (const filter of filters)
      if (!environment.variants.has(filter)) this.#addVariant(environment, filter);
    this.passTime();
  }

  environment(name: string): ModelEnvironment {
    const environment = this.environments.get(name);
    if (environment === undefined) throw new Error(`the model has no ${name}`);
    return environment;
  }

  /** Forgets what has expired. */
  passTime(): void {
    for (const environment of this.environments.values()) {
      environment.keys = environment.keys.filter(({ expires }) => this.#now() < expires);
      const accepted = environment.keys.filter(({ kind }) => kind === "sdkKey").map(({ value }) => value);
      for (const variant of environment.variants.values()) {
        const newest = variant.sources.at(-1);
        variant.sources = variant.sources.filter(
          (source) =>
            source === newest || (source.delivered && !source.refused) || accepted.includes(source.key),
        );
      }
    }
  }

  asked(variant: string, sdkKey: string, answer: Answer): void {
    const source = this.#source(variant, sdkKey);
    if (source === undefined) return;
    if (source.connected) this.mistakes.push(`${variant} asked with ${sdkKey} while it is connected`);
    source.connected = answer === "data" || answer === "silent";
    if (answer === "refuse") source.refused = true;
    if (answer === "fail") source.refused = false;
  }

  delivers(variant: string, sdkKey: string, version: number): void {
    const source = this.#source(variant, sdkKey);
    if (source === undefined) return;
    source.delivered = true;
    source.refused = false;
    const fed = this.#variant(variant);
    fed.data = version;
    // What a source delivers retires the older ones, never a newer one.
    fed.sources = fed.sources.slice(fed.sources.indexOf(source));
  }

  breaks(variant: string, sdkKey: string): void {
    const source = this.#source(variant, sdkKey);
    if (source === undefined) return;
    source.connected = false;
    source.refused = false;
  }

  /** The open connections to upstream, as `VARIANT KEY`. */
  connections(): string[] {
    if (this.closed) return [];
    const all = [...this.environments].flatMap(([name, { variants }]) =>
      [...variants].flatMap(([filter, { sources }]) =>
        sources.flatMap(({ key, connected }) => (connected ? [`${label(name, filter)} ${key}`] : [])),
      ),
    );
    return all.sort();
  }

  /** What a request gets: a status, or the version of the flags it is served. */
  answer(kind: ModelKey["kind"], value: string, filter: string): { status: number; version?: number } {
    if (this.closed) return { status: 503 };
    const unknown = { status: kind === "envId" ? 404 : 401 };
    const owner = [...this.environments.values()].find(({ keys }) =>
      keys.some((key) => key.kind === kind && key.value === value),
    );
    if (owner === undefined) return unknown;
    const variant = owner.variants.get(filter);
    if (variant === undefined) return { status: 404 };
    if (variant.data !== undefined) return { status: 200, version: variant.data };
    return variant.sources.every(({ refused }) => refused) ? unknown : { status: 503 };
  }

  #addVariant(environment: ModelEnvironment, filter: string): void {
    const variant: ModelVariant = { sources: [], data: undefined };
    environment.variants.set(filter, variant);
    use(variant, environment.sdkKey);
  }

  #variant(variant: string): ModelVariant {
    const [name = "", filter = ""] = variant.split("/");
    const found = this.environment(name).variants.get(filter);
    if (found === undefined) throw new Error(`the model has no ${variant}`);
    return found;
  }

  #source(variant: string, sdkKey: string): ModelSource | undefined {
    this.passTime();
    const [name = "", filter = ""] = variant.split("/");
    const found = this.environments
      .get(name)
      ?.variants.get(filter)
      ?.sources.find(({ key }) => key === sdkKey);
    if (found === undefined || this.closed) this.mistakes.push(`${variant} still uses ${sdkKey}`);
    return found;
  }
}

/** A key is tried from now on: anew, unless it is being tried already and was not refused. */
function use(variant: ModelVariant, key: string): void {
  const known = variant.sources.find((source) => source.key === key && !source.refused);
  const others = variant.sources.filter((source) => source.key !== key);
  const source = known ?? { key, delivered: false, refused: false, connected: false };
  variant.sources = known?.delivered ? [source] : [...others, source];
}

function label(name: string, filter: string): string {
  return filter === "" ? name : `${name}/${filter}`;
}

/** A key without an end. */
export function lasting(kind: ModelKey["kind"], value: string): ModelKey {
  return { kind, value, expires: never };
}
