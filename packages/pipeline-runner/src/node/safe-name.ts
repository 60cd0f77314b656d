import { createHash } from "node:crypto";

/** File systems take names of 255 bytes. */
const maxLength = 200;

/**
 * A name as part of a path: what could leave the folder, or means something to a file system, is written as in URLs. Of a name that
 * is too long a fingerprint keeps it apart from others.
 */
export function safeName(name: string): string {
  const safe = name
    .replace(/[^A-Za-z0-9._-]/gu, (character) =>
      Array.from(
        new TextEncoder().encode(character),
        (byte) => `%${byte.toString(16).padStart(2, "0")}`,
      ).join(""),
    )
    .replace(/^\.+$/, (dots) => dots.replaceAll(".", "%2e"));
  if (safe.length > maxLength) {
    const fingerprint = createHash("sha256").update(name).digest("hex").slice(0, 32);
    return `${safe.slice(0, maxLength - 33)}-${fingerprint}`;
  }
  return safe || "%";
}

/** A safe name that is taken, as another that no name has: its first character is written as in URLs. */
export function otherName(safe: string): string {
  return `%${safe.charCodeAt(0).toString(16)}${safe.slice(1)}`;
}
