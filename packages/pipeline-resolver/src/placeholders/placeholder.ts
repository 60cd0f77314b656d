import { checkArguments, describeValue } from "@wye/pipeline-spec";
import type { TextSpan } from "../text-problem.js";

/** The name of a fact about the run, as placeholders spell it. */
export type RunFact =
  | "pipeline_job_name"
  | "pipeline_job_resource_name"
  | "pipeline_job_uuid"
  | "pipeline_task_name"
  | "pipeline_task_uuid"
  | "pipeline_job_create_time_utc"
  | "pipeline_job_schedule_time_utc"
  | "pipeline_root"
  | "workspace_path";

/** Facts about the run that a placeholder can name. */
export const runFacts: readonly RunFact[] = [
  "pipeline_job_name",
  "pipeline_job_resource_name",
  "pipeline_job_uuid",
  "pipeline_task_name",
  "pipeline_task_uuid",
  "pipeline_job_create_time_utc",
  "pipeline_job_schedule_time_utc",
  "pipeline_root",
  "workspace_path",
];

/** What is taken of an artifact. */
export type ArtifactPart =
  /** The artifact itself, or the list of them, as JSON. */
  | { readonly kind: "whole" }
  | { readonly kind: "uri" }
  | { readonly kind: "path" }
  | { readonly kind: "name" }
  /** The metadata, or what the keys lead to in it. */
  | { readonly kind: "metadata"; readonly keys: readonly string[] }
  /** A property in the old form, which is looked up in the metadata too. */
  | { readonly kind: "property"; readonly key: string };

/** What stands for a value in a text of a specification. */
export type Placeholder =
  /** `{{$}}`: the whole executor input as JSON. */
  | { readonly kind: "executor-input" }
  /** `{{$.inputs.parameters['name']}}` */
  | { readonly kind: "input-parameter"; readonly name: string }
  /** `{{$.inputs.parameters['name'].json_escape[0]}}`: the hosted service alone knows it. */
  | { readonly kind: "escaped-parameter"; readonly name: string; readonly depth: number }
  /** `{{$.inputs.artifacts['name'].uri}}` and the like. */
  | { readonly kind: "input-artifact"; readonly name: string; readonly part: ArtifactPart }
  /** `{{$.outputs.parameters['name'].output_file}}` */
  | { readonly kind: "output-parameter"; readonly name: string }
  /** `{{$.outputs.artifacts['name'].uri}}` and the like. */
  | { readonly kind: "output-artifact"; readonly name: string; readonly part: ArtifactPart }
  /** `{{$.outputs.output_file}}`, in the old form `{{$.outputMetadataUri}}` */
  | { readonly kind: "output-file"; readonly old: boolean }
  /** `{{$.pipeline_job_name}}` and the like. */
  | { readonly kind: "run-fact"; readonly fact: RunFact }
  /** `{{$.currentTime.strftime('%Y')}}`: the server fills it in before a run. */
  | { readonly kind: "time"; readonly time: "currentTime" | "scheduledTime"; readonly format: string }
  /** `{{$.json_escape[1]}}`: the hosted service alone knows it. */
  | { readonly kind: "json-escape"; readonly depth: number };

/** A stretch of a text between placeholders. */
export interface LiteralSegment {
  readonly kind: "literal";
  readonly text: string;
  readonly span: TextSpan;
}

/** A placeholder where it stands in a text. */
export interface PlaceholderSegment {
  readonly kind: "placeholder";
  readonly placeholder: Placeholder;
  /** As it was written. */
  readonly text: string;
  readonly span: TextSpan;
  /** The name inside it, without quotes; undefined for those that name nothing. */
  readonly nameSpan: TextSpan | undefined;
}

/** A text is a row of these. */
export type TemplateSegment = LiteralSegment | PlaceholderSegment;

/** The canonical spelling of a placeholder; reading it gives the same placeholder. Names must not hold a quote. */
export function printPlaceholder(placeholder: Placeholder): string {
  checkArguments("printPlaceholder", "object", { placeholder });
  return `{{$${printPath(placeholder)}}}`;
}

function printPath(placeholder: Placeholder): string {
  switch (placeholder.kind) {
    case "executor-input":
      return "";
    case "input-parameter":
      return `.inputs.parameters['${placeholder.name}']`;
    case "output-parameter":
      return `.outputs.parameters['${placeholder.name}'].output_file`;
    case "input-artifact":
      return `.inputs.artifacts['${placeholder.name}']${printPart(placeholder.part)}`;
    case "output-artifact":
      return `.outputs.artifacts['${placeholder.name}']${printPart(placeholder.part)}`;
    case "output-file":
      return placeholder.old ? ".outputMetadataUri" : ".outputs.output_file";
    case "run-fact":
      return `.${placeholder.fact}`;
    case "time":
      return `.${placeholder.time}.strftime('${placeholder.format}')`;
    case "escaped-parameter":
      return `.inputs.parameters['${placeholder.name}'].json_escape[${placeholder.depth}]`;
    case "json-escape":
      return `.json_escape[${placeholder.depth}]`;
    default:
      return unknownPlaceholder(placeholder);
  }
}

/** Callers without types may hand over anything. */
function unknownPlaceholder(placeholder: never): never {
  throw new TypeError(`printPlaceholder takes a placeholder, not ${describeValue(placeholder)}`);
}

function printPart(part: ArtifactPart): string {
  switch (part.kind) {
    case "whole":
      return "";
    case "metadata":
      return `.metadata${part.keys.map((key) => `['${key}']`).join("")}`;
    case "property":
      return `.properties['${part.key}']`;
    default:
      return `.${part.kind}`;
  }
}
