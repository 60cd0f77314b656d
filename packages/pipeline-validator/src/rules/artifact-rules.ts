import { type ArtifactTypeSchema, type PipelineGraph, pointer } from "@wye/pipeline-spec";
import { schemaTitle, systemTitles } from "../artifact-type.js";
import { quote } from "../quote.js";
import { always, type Finding, type Rule, type RuleFamily, underKfp } from "../rule.js";
import { suggest } from "../suggest.js";

/** A place that states the type of an artifact. */
interface TypePlace {
  readonly at: string;
  readonly type: ArtifactTypeSchema | undefined;
}

function artifactTypes({ components, executors }: PipelineGraph): readonly TypePlace[] {
  const places: TypePlace[] = [];
  for (const { spec, path } of components) {
    for (const side of ["inputDefinitions", "outputDefinitions"] as const) {
      for (const [name, { artifactType: type }] of Object.entries(spec[side]?.artifacts ?? {})) {
        places.push({ at: `${pointer(`${path}/${side}/artifacts`, name)}/artifactType`, type });
      }
    }
  }
  for (const { spec, path } of executors) {
    if (spec.spec?.$case !== "importer") continue;
    places.push({ at: `${path}/importer/typeSchema`, type: spec.spec.value.typeSchema });
  }
  return places;
}

const patch = (type: string) =>
  `components: {comp-train: {outputDefinitions: {artifacts: {model: {artifactType: ${type}}}}}}`;

const typeMissing: Rule = {
  id: "artifact-type-missing",
  summary: "An artifact has a type.",
  reason: "The driver fails with `unknown type in ArtifactTypeSchema`.",
  severity: always("error"),
  examples: { wrong: patch("null"), right: patch("{schemaTitle: system.Artifact}") },
  *check(index) {
    for (const { at, type } of index.once(artifactTypes)) {
      if (type?.kind !== undefined && type.kind.value !== "") continue;
      yield {
        at,
        part: "key",
        message: "the artifact has no type",
        hint: "add a schemaTitle such as system.Artifact",
        sought: [`${at}/*`],
      };
    }
  },
};

const uriUnsupported: Rule = {
  id: "schema-uri-unsupported",
  summary: "The type of an artifact is given by title or schema, not by URI.",
  reason: "The driver fails with `SchemaUri is unsupported`.",
  severity: { kfp: "error", spec: "warning" },
  examples: {
    wrong: patch("{schemaTitle: null, schemaUri: 'https://example.com/model.yaml'}"),
    right: patch("{schemaTitle: null, instanceSchema: 'title: example.Model'}"),
    besides: ["deprecated-field"],
  },
  *check(index) {
    for (const { at, type } of index.once(artifactTypes)) {
      if (type?.kind?.$case !== "schemaUri" || type.kind.value === "") continue;
      yield {
        at: `${at}/schemaUri`,
        part: "key",
        message: "schemaUri is not supported",
        hint: "use schemaTitle",
      };
    }
  },
};

const titleFormat: Rule = {
  id: "schema-title-format",
  summary: "The title of an artifact type has the form `<namespace>.<Name>`.",
  reason: "Types are registered under such names; compilers write no others.",
  severity: { kfp: "warning", spec: "error" },
  examples: { wrong: patch("{schemaTitle: Model}"), right: patch("{schemaTitle: example.Model}") },
  *check(index) {
    for (const { at, type } of index.once(artifactTypes)) {
      const title = schemaTitle(type) ?? "";
      if (title === "" || /^[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)+$/.test(title)) continue;
      yield { at: `${at}/schemaTitle`, ...wrongTitle(title) };
    }
  },
};

function wrongTitle(title: string): Pick<Finding, "message" | "hint"> {
  const [, name, version] = /^([\w.-]+)@([\w.-]+)$/.exec(title) ?? [];
  if (name !== undefined) {
    const hint = `write schemaTitle: ${name} and schemaVersion: ${version}`;
    return { message: "the version of a type does not stand in its title", hint };
  }
  const hint = systemTitles.includes(`system.${title}`) ? `write system.${title}` : undefined;
  return { message: `the title ${quote(title)} has no namespace`, hint };
}

const titleUnknown: Rule = {
  id: "schema-title-unknown",
  summary: "A type of the namespace `system` is one that the back end has.",
  reason: "The artifact goes with no other type and is not shown as what it is.",
  severity: underKfp("warning"),
  examples: { wrong: patch("{schemaTitle: system.Modle}"), right: patch("{schemaTitle: system.Model}") },
  *check(index) {
    for (const { at, type } of index.once(artifactTypes)) {
      const title = schemaTitle(type) ?? "";
      if (!/^system\.[^@]*$/i.test(title) || systemTitles.includes(title)) continue;
      yield {
        at: `${at}/schemaTitle`,
        message: `there is no type ${quote(title)}`,
        hint: suggest(title, systemTitles),
      };
    }
  },
};

const versionFormat: Rule = {
  id: "schema-version-format",
  summary: "The version of an artifact type has three numbers.",
  reason: "The compiler refuses other versions.",
  severity: underKfp("warning"),
  examples: { wrong: patch("{schemaVersion: v1}"), right: patch("{schemaVersion: 0.0.2}") },
  *check(index) {
    for (const { at, type } of index.once(artifactTypes)) {
      const version = type?.schemaVersion ?? "";
      if (version === "" || /^\d+\.\d+\.\d+$/.test(version)) continue;
      yield { at: `${at}/schemaVersion`, message: `${quote(version)} is not a version such as 0.0.1` };
    }
  },
};

/** Rules about the types of artifacts. */
export const artifactRules: RuleFamily = {
  title: "Artifact types",
  appliesTo: (index) => index.once(artifactTypes).length > 0,
  rules: [typeMissing, uriUnsupported, titleFormat, titleUnknown, versionFormat],
};
