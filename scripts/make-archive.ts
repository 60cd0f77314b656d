import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";

/** An entry of a tar archive; `type` is `0` for a file. */
export interface TarEntry {
  readonly name: string;
  readonly contents: string | Buffer;
  readonly type?: string;
}

/** A tar archive as POSIX has it. */
export function tarOf(entries: readonly TarEntry[]): Buffer {
  const blocks = entries.flatMap(({ name, contents, type = "0" }) => {
    const bytes = Buffer.from(contents);
    const padding = Buffer.alloc((512 - (bytes.length % 512)) % 512);
    return [tarHead(name, bytes.length, type), bytes, padding];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

/** The head of an entry, whatever follows it. */
export function tarHead(name: string, size: number, type = "0"): Buffer {
  const head = Buffer.alloc(512);
  head.write(name, 0, 100, "utf8");
  head.write("0000644\0", 100);
  head.write(`${size.toString(8).padStart(11, "0")} `, 124);
  head.write(" ".repeat(8), 148);
  head.write(type, 156);
  head.write("ustar\x0000", 257);
  const sum = head.reduce((total, byte) => total + byte, 0);
  head.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return head;
}

/** An environment of an archive: its metadata, and its flags. */
export interface Archived {
  readonly env: Readonly<Record<string, unknown>>;
  readonly data: unknown;
}

/** The files of an archive, with the checksum that they should have. */
export function archiveEntries(environments: readonly Archived[]): TarEntry[] {
  const files = environments.flatMap(({ env, data }): TarEntry[] => [
    { name: `${env.envID}.json`, contents: JSON.stringify({ env, dataId: JSON.stringify(data).length }) },
    {
      name: `${env.envID}-data.json`,
      contents: typeof data === "string" ? data : JSON.stringify(data),
    },
  ]);
  return [...files, { name: "checksum.md5", contents: checksumOf(files) }];
}

/** The digest of the contents in the order of the names. */
export function checksumOf(files: readonly TarEntry[]): Buffer {
  const digest = createHash("md5");
  for (const { contents } of files.toSorted((a, b) => (a.name < b.name ? -1 : 1))) digest.update(contents);
  return digest.digest();
}

/** An archive as upstream makes it. */
export function archiveOf(...environments: readonly Archived[]): Buffer {
  return gzipSync(tarOf(archiveEntries(environments)));
}
