/** What of a file's state tells whether it has changed. */
export interface FileState {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
}

const second = 1_000_000_000n;

/** FAT counts in steps of two seconds; others that do not count nanoseconds count seconds. */
const coarsestMs = 2000;

let looks = 0;

/**
 * Names the state of a file as it was seen at a time in milliseconds since 1970. Where the file system counts whole seconds, a file may change
 * again within the same one and look as before: as long as that is possible, no two looks have one name.
 */
export function fileStamp({ dev, ino, size, mtimeNs, ctimeNs }: FileState, now: number): string {
  const isCoarse = mtimeNs % second === 0n && ctimeNs % second === 0n;
  const mayChangeUnseen = isCoarse && Math.abs(now - Number(ctimeNs / 1_000_000n)) <= coarsestMs;
  return [dev, ino, size, mtimeNs, ctimeNs, ...(mayChangeUnseen ? [`look ${++looks}`] : [])].join(" ");
}
