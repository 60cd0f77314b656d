import { constants } from "node:fs";
import { cp, mkdir, rm } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative } from "node:path";
import type { RuntimeArtifact } from "@wye/pipeline-spec";
import { schemeOf } from "./local-path.js";
import { safeName } from "./safe-name.js";

/**
 * An artifact that is meant for the workspace, as a copy there, which tasks may change. Links in it become what they lead to: nothing that is
 * written to the copy reaches what was imported. What is in the workspace already stays where it is.
 */
export async function copyToWorkspace(
  artifact: RuntimeArtifact,
  source: string,
  workspace: string,
): Promise<RuntimeArtifact> {
  const metadata = { ...artifact.metadata, _kfp_workspace: true };
  if (isInside(workspace, source)) return { ...artifact, metadata };
  const { uri } = artifact;
  const customPath = join(workspace, ".artifacts", schemeOf(uri) || "file", safeName(uri), basename(source));
  // An attempt before may have left a part of it.
  await rm(customPath, { recursive: true, force: true });
  await mkdir(dirname(customPath), { recursive: true });
  await cp(source, customPath, { recursive: true, dereference: true, mode: constants.COPYFILE_FICLONE });
  return { ...artifact, customPath, metadata };
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return !way.startsWith("..") && !isAbsolute(way);
}
