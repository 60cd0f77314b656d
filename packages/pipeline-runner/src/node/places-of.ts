import { opendirSync, statSync } from "node:fs";
import type { Artifacts } from "@wye/pipeline-resolver";
import type { RuntimeArtifact } from "@wye/pipeline-spec";
import { localPath } from "./local-path.js";

/** Where an artifact is read. */
export const placeOf = ({ uri, customPath }: RuntimeArtifact): string => customPath || uri;

/** Where artifacts are read. */
export function placesOf(artifacts: Artifacts): readonly string[] {
  return Object.values(artifacts).flatMap((list) => list.artifacts.map(placeOf));
}

/**
 * What is at these places, a digit for each in their order: `0` for nothing, `1` for an empty file or folder, `2` for one with something in it.
 * What is elsewhere is taken to be there.
 */
export function presenceOf(places: readonly string[]): string {
  return places.map((place) => presenceAt(localPath(place))).join("");
}

function presenceAt(path: string | undefined): string {
  if (path === undefined) return "2";
  try {
    const found = statSync(path);
    const isFilled = found.isDirectory() ? hasEntries(path) : found.size > 0;
    return isFilled ? "2" : "1";
  } catch {
    // Tasks cannot look there either.
    return "0";
  }
}

/** Folders may have very many, of which one is looked at. */
function hasEntries(path: string): boolean {
  const folder = opendirSync(path);
  try {
    return folder.readSync() !== null;
  } finally {
    folder.closeSync();
  }
}
