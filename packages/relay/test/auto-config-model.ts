/** Something that upstream says: that there is an environment or a filter, or that one is gone. */
export interface Announcement {
  readonly kind: "environments" | "filters";
  readonly id: string;
  readonly version: number;
  /** Absent when it is gone. */
  readonly item?: Readonly<Record<string, unknown>>;
}

/** What a relay should serve, worked out each time from everything that was ever said. */
export class AutoConfigModel {
  #said: readonly Announcement[] = [];

  say(announcement: Announcement): void {
    this.#said = [...this.#said, announcement];
  }

  /** A full set: of what is not in it nothing was ever said. */
  sayAll(all: readonly Announcement[]): void {
    const isNamed = ({ kind, id }: Announcement) => all.some((one) => one.kind === kind && one.id === id);
    this.#said = [...this.#said.filter(isNamed), ...all];
  }

  /** The greatest version is the last word about an ID; of two equal ones it is the one that was said first. */
  #present(kind: Announcement["kind"]): Readonly<Record<string, unknown>>[] {
    const said = this.#said.filter((one) => one.kind === kind);
    return [...new Set(said.map(({ id }) => id))].flatMap((id) => {
      const about = said.filter((one) => one.id === id);
      const greatest = Math.max(...about.map(({ version }) => version));
      const item = about.find(({ version }) => version === greatest)?.item;
      return item === undefined ? [] : [item];
    });
  }

  /** The names of what is served, payload filters included, with what people call it. */
  served(): Record<string, unknown> {
    const filters = this.#present("filters");
    const named = this.#present("environments").flatMap(({ envID, envName, projKey }) => {
      const own = filters.filter((filter) => filter.projKey === projKey);
      return [envID, ...own.map(({ key }) => `${envID}/${key}`)].map((name) => [name, envName]);
    });
    return Object.fromEntries(named);
  }

  /** The SDK keys that are accepted. */
  sdkKeys(): unknown[] {
    return this.#present("environments").map(({ envKey }) => envKey);
  }
}
