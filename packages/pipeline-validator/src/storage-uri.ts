/** Schemes under which the launcher stores what tasks make. */
const schemes = ["gs", "s3", "minio"];

/** What to write. */
export const storageHint = "write gs://…, s3://… or minio://…";

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
