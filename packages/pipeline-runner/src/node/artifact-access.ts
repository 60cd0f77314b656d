import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Artifacts } from "@wye/pipeline-resolver";
import type { ArtifactList, RuntimeArtifact } from "@wye/pipeline-spec";
import type { WorkContext } from "./executor.js";
import { foreignFile, localPath, schemeOf } from "./local-path.js";
import { safeName } from "./safe-name.js";

/** Fetches artifacts that are not on this machine. */
export interface ArtifactStore {
  /** Puts what is behind the URI, a file or a folder, at the path; its folder exists. */
  fetch(uri: string, path: string, signal: AbortSignal): Promise<void>;
}

/** Stores by scheme, such as `gs`. */
export type ArtifactStores = { readonly [scheme: string]: ArtifactStore };

/** For whom something is fetched. */
export type FetchContext = Pick<WorkContext, "signal" | "warn">;

/** How long a store may take to end once nobody wants what it fetches. */
const patienceMs = 5000;

/** A store that goes on although the signal told it to end is left alone. */
async function untilGivenUp(
  fetch: Promise<void>,
  uri: string,
  { signal, warn }: FetchContext,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let onAbort = () => {};
  const givenUp = new Promise<never>((_, reject) => {
    onAbort = () => {
      timer = setTimeout(() => {
        const message = `the store of ${uri} has not ended ${patienceMs / 1000} s after it was told to, and was given up`;
        warn(message);
        reject(new Error(message));
      }, patienceMs);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
  await Promise.race([fetch, givenUp]).finally(() => {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  });
}

/** Where the artifacts of a run lie on this machine. What has to be fetched is fetched once. */
export class ArtifactAccess {
  readonly #folder: string;
  readonly #stores: ArtifactStores;
  readonly #fetches = new Map<string, Promise<void>>();

  constructor(folder: string, stores: ArtifactStores) {
    this.#folder = folder;
    this.#stores = stores;
  }

  readonly pathOf = ({ uri, customPath }: RuntimeArtifact): string | undefined =>
    customPath || (localPath(uri) ?? (uri === "" ? undefined : this.#fetched(uri)));

  /**
   * Makes sure that artifacts are there, and returns them with the paths that they have here for URIs: programs open what they are
   * given, and know no stores.
   */
  async bringAll(lists: Artifacts, context: FetchContext): Promise<Artifacts> {
    const found: [string, ArtifactList][] = [];
    for (const [name, { artifacts }] of Object.entries(lists)) {
      for (const artifact of artifacts) await this.bring(artifact, context);
      const here = artifacts.map((artifact) => ({ ...artifact, uri: this.pathOf(artifact) ?? artifact.uri }));
      found.push([name, { artifacts: here }]);
    }
    return Object.fromEntries(found);
  }

  /** Makes sure that an artifact is there. Throws with what to do when it cannot be. */
  async bring({ uri, name, customPath }: RuntimeArtifact, context: FetchContext): Promise<void> {
    if (localPath(uri) !== undefined || uri === "" || customPath) return;
    const foreign = foreignFile(uri);
    if (foreign !== undefined) throw new Error(foreign);
    const scheme = schemeOf(uri);
    const store = Object.hasOwn(this.#stores, scheme) ? this.#stores[scheme] : undefined;
    if (store === undefined) {
      throw new Error(
        `the artifact ${name} is at ${uri}: give a store for it, as in stores: { ${scheme}: … }`,
      );
    }
    const fetch = this.#fetches.get(uri) ?? this.#fetch(store, uri, context.signal);
    this.#fetches.set(uri, fetch);
    try {
      await untilGivenUp(fetch, uri, context);
    } catch (error) {
      this.#fetches.delete(uri);
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`the artifact ${uri} cannot be fetched: ${reason}`, { cause: error });
    }
  }

  /** A store that was given up may still write, in a run that others go on with: it has a file of its own, which nobody takes. */
  async #fetch(store: ArtifactStore, uri: string, signal: AbortSignal): Promise<void> {
    const path = this.#fetched(uri);
    if (existsSync(path)) return;
    const folder = dirname(path);
    await mkdir(folder, { recursive: true });
    const drafts = `${basename(path)}.part-`;
    const left = (await readdir(folder)).filter((name) => name.startsWith(drafts));
    for (const name of left) await rm(join(folder, name), { recursive: true, force: true });
    const draft = join(folder, drafts + randomUUID());
    // The run may have been cancelled meanwhile: nothing starts any more.
    signal.throwIfAborted();
    try {
      await store.fetch(uri, draft, signal);
      signal.throwIfAborted();
      if (!existsSync(draft)) throw new Error("the store has put nothing at the path that it was given");
      await rename(draft, path);
    } catch (error) {
      await rm(draft, { recursive: true, force: true });
      throw error;
    }
  }

  #fetched(uri: string): string {
    return join(this.#folder, safeName(uri));
  }
}
