import type { ArtifactTypeSchema } from "@wye/pipeline-spec";

/** What a declaration of an artifact says of its type. */
export interface ArtifactDeclaration {
  readonly artifactType: ArtifactTypeSchema | undefined;
  readonly isArtifactList: boolean;
}

/** The title of a schema: `system.Dataset`; undefined when the type is given in another way or not at all. */
export function schemaTitle(type: ArtifactTypeSchema | undefined): string | undefined {
  return type?.kind?.$case === "schemaTitle" ? type.kind.value : undefined;
}

/** True when an artifact of one type may be used where the other is asked for: same title and major version. */
export function areCompatible(a: ArtifactTypeSchema | undefined, b: ArtifactTypeSchema | undefined): boolean {
  const [left, right] = [schemaTitle(a), schemaTitle(b)];
  if (left === undefined || right === undefined) return true;
  if (left === anyArtifact || right === anyArtifact) return true;
  return left === right && major(a) === major(b);
}

/** The type that goes with every other. */
const anyArtifact = "system.Artifact";

/** The artifact types that come with the back end. */
export const systemTitles: readonly string[] = [
  anyArtifact,
  "system.ClassificationMetrics",
  "system.Dataset",
  "system.HTML",
  "system.Markdown",
  "system.Metrics",
  "system.Model",
  "system.SlicedClassificationMetrics",
];

/** Text before the first dot of the version; `0` when there is none, which means the latest. */
function major(type: ArtifactTypeSchema | undefined): string {
  return type?.schemaVersion.split(".", 1)[0] || "0";
}

/** A type for a message: `a list of system.Dataset`. */
export function describeArtifact({ artifactType, isArtifactList }: ArtifactDeclaration): string {
  const title = schemaTitle(artifactType) ?? "an artifact";
  const version = artifactType?.schemaVersion ? `@${artifactType.schemaVersion}` : "";
  return `${isArtifactList ? "a list of " : ""}${title}${version}`;
}
