/** A body that was kept, with the tag under which the server knows it. */
interface KeptBody {
  readonly etag: string;
  readonly text: string;
  /** When the server said that it was last changed. */
  readonly lastModified?: string | undefined;
  /** What it counts against the limit. */
  readonly bytes: number;
}

/** Bodies by URL; those that were used least recently go first. */
export interface EtagCache {
  get(url: string): KeptBody | undefined;
  set(url: string, body: KeptBody): void;
  remove(url: string): void;
}

/** What an entry weighs beside its body, URL and tag. */
const entryOverhead = 512;

export function createEtagCache(maxBytes: number): EtagCache {
  const kept = new Map<string, KeptBody>();
  let total = 0;

  const weight = (url: string, body: KeptBody): number =>
    body.bytes + url.length + body.etag.length + entryOverhead;

  function remove(url: string): KeptBody | undefined {
    const body = kept.get(url);
    if (body) total -= weight(url, body);
    kept.delete(url);
    return body;
  }

  function set(url: string, body: KeptBody): void {
    remove(url);
    if (weight(url, body) > maxBytes) return;
    kept.set(url, body);
    total += weight(url, body);
    for (const oldest of kept.keys()) {
      if (total <= maxBytes) break;
      remove(oldest);
    }
  }

  function get(url: string): KeptBody | undefined {
    const body = remove(url);
    if (body) set(url, body);
    return body;
  }

  return { get, set, remove };
}
