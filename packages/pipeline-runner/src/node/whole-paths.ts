import { isAbsolute, resolve } from "node:path";
import type { Artifacts } from "@wye/pipeline-resolver";
import { isArtifactList } from "../check-report.js";
import { schemeOf } from "./local-path.js";

/**
 * Artifacts whose relative paths mean files of a folder, the one of this process by default, with paths that mean the same in the folder
 * of every task. What are no artifacts stays, to be refused where all of a report is looked at.
 */
export function wholePaths(lists: Artifacts, folder = "."): Artifacts {
  const whole = (path: string) =>
    path === "" || schemeOf(path) !== "" || isAbsolute(path) ? path : resolve(folder, path);
  const entries = Object.entries(lists).map(([name, list]) => {
    if (!isArtifactList(list)) return [name, list] as const;
    const artifacts = list.artifacts.map((one) => ({
      ...one,
      uri: whole(one.uri),
      ...(typeof one.customPath === "string" ? { customPath: whole(one.customPath) } : {}),
    }));
    return [name, { ...list, artifacts }] as const;
  });
  return Object.fromEntries(entries);
}
