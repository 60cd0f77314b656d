/** Schemes under which the launcher stores what tasks make. */
const schemes = ["gs", "s3", "minio"];

/** What to write. */
export const storageHint = "write gs://…, s3://… or minio://…";

/** True for an address that begins with a scheme. */
export const hasScheme = (address: string): boolean => /^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(address);

/** Schemes that the launcher does not read from, and what was probably meant. */
const unread: Readonly<Record<string, string>> = {
  file: storageHint,
  gcs: "write gs://",
  hdfs: storageHint,
  s3a: "write s3://",
  s3n: "write s3://",
};

/** The scheme of an address that no back end reads from, and what to write. */
export function unreadScheme(address: string): readonly [scheme: string, hint: string] | undefined {
  const [, scheme = ""] = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(address) ?? [];
  const hint = Object.hasOwn(unread, scheme.toLowerCase()) ? unread[scheme.toLowerCase()] : undefined;
  return hint === undefined ? undefined : [`${scheme}://`, hint];
}

/** Why artifacts cannot be stored under an address; undefined when they can, or when it is not known before the run. */
export function wrongStorage(address: string): string | undefined {
  if (address === "" || address.includes("{{")) return undefined;
  const [, scheme, rest = ""] = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/(.*)$/s.exec(address) ?? [];
  if (scheme === undefined) return "has no scheme";
  if (!schemes.includes(scheme)) return "has a scheme under which artifacts cannot be stored";
  const [bucket = ""] = rest.split(/[/?#]/, 1);
  if (bucket === "") return "names no bucket";
  return /\s/.test(bucket) ? "has a blank in the name of its bucket" : undefined;
}
