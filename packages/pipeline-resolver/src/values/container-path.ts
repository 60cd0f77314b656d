import { checkArguments, type RuntimeArtifact } from "@wye/pipeline-spec";

/** Where artifacts of the shared workspace lie inside a container. */
const workspaceArtifacts = "/kfp-workspace/.artifacts";

const mounted: ReadonlyMap<string, string> = new Map([
  ["gs", "gcs"],
  ["minio", "minio"],
  ["s3", "s3"],
]);

/**
 * The path of an artifact inside a container of the back end: the one that its author chose, or the one that follows from the
 * URI (`gs://bucket/x` is at `/gcs/bucket/x`). Undefined for schemes that are not mounted.
 */
export function containerPath(
  artifact: Pick<RuntimeArtifact, "uri" | "customPath" | "metadata">,
): string | undefined {
  checkArguments("containerPath", "object", { artifact });
  const { uri, customPath, metadata } = artifact;
  if (customPath) return customPath;
  const [, scheme = "", rest = ""] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/is.exec(uri) ?? [];
  if (scheme === "") return undefined;
  if (scheme === "oci") return `/oci/${rest.replaceAll("/", "_")}/models`;
  const folder = mounted.get(scheme);
  if (metadata?._kfp_workspace === true) return `${workspaceArtifacts}/${scheme}/${rest}`;
  return folder && `/${folder}/${rest}`;
}
