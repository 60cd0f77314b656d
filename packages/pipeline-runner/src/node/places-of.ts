import { existsSync } from "node:fs";
import type { Artifacts } from "@wye/pipeline-resolver";
import type { RuntimeArtifact } from "@wye/pipeline-spec";
import { localPath } from "./local-path.js";

/** Where an artifact is read. */
export const placeOf = ({ uri, customPath }: RuntimeArtifact): string => customPath || uri;

/** Where artifacts are read. */
export function placesOf(artifacts: Artifacts): readonly string[] {
  return Object.values(artifacts).flatMap((list) => list.artifacts.map(placeOf));
}

/** At which of these places something is, `1` or `0` for each in their order. What is elsewhere is taken to be there. */
export function presenceOf(places: readonly string[]): string {
  return places.map((place) => (existsSync(localPath(place) ?? "/") ? "1" : "0")).join("");
}
