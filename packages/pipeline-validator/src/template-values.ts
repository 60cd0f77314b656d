import { type PipelineGraph, pointer } from "@wye/pipeline-spec";
import { containers } from "./containers.js";
import { kubernetes } from "./platform-part.js";

/** The rule that tells of these. */
export const templateRule = "template-not-filled";

/** What Helm, Jinja, ERB or a shell is to fill in: no placeholder of this version or the one before. */
const mark =
  /\{\{(?!\s*\$?\.?(?:inputs|outputs|pipeline_|workspace|workflow|tasks|executor|currentTime|scheduledTime)|\$\})|<%|\{%|\$\{[A-Za-z_]\w*|\$\([A-Za-z_]\w*\)/;

/** True for a text of a template that was not filled in. */
export const isUnfilled = (value: unknown): value is string => typeof value === "string" && mark.test(value);

/** In an image, where neither sign means anything, also what a shell or Autoconf is to fill in. */
const markOfImages = /\$[A-Za-z_]|@[A-Za-z_]\w*@/;

/** What settings hand to programs or to people as it stands, in whatever language. */
const free: ReadonlySet<string> = new Set(["annotations", "args", "command", "env"]);

/**
 * Values that nothing but a template can be the reason for: names, images, amounts and settings, by their places. In commands, constants
 * and descriptions the same signs may be meant.
 */
export function templateValues(index: PipelineGraph): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const see = (at: string, value: unknown): void => {
    if (isUnfilled(value)) found.set(at, value);
  };
  const { spec, executors } = index;
  see("/pipelineInfo/name", spec.pipelineInfo?.name);
  see("/schemaVersion", spec.schemaVersion);
  see("/defaultPipelineRoot", spec.defaultPipelineRoot);
  for (const { spec: container, path } of index.once(containers)) {
    const { image } = container;
    if (isUnfilled(image) || markOfImages.test(image)) found.set(`${path}/image`, image);
    seeAll(`${path}/resources`, container.resources, found);
  }
  for (const { spec: executor, path, settings } of executors) {
    if (executor.spec?.$case === "importer") {
      const uri = executor.spec.value.artifactUri?.value;
      if (uri?.$case === "constant") see(`${path}/importer/artifactUri/constant`, uri.value);
    }
    if (settings !== undefined) seeAll(settings.path, settings.json, found);
  }
  const { pipelineConfig } = kubernetes(index) ?? {};
  seeAll("/platforms/kubernetes/pipelineConfig", pipelineConfig, found);
  return found;
}

/** Deeper than this no setting has a value. */
const deepest = 12;

/** Looks at all values in settings. A place is written only where there is something to see. */
function seeAll(at: string, settings: unknown, found: Map<string, string>): void {
  const names: (string | number)[] = [];
  const look = (value: unknown): void => {
    if (isUnfilled(value)) found.set(pointer(at, ...names), value);
    if (names.length === deepest || typeof value !== "object" || value === null) return;
    const keys = Array.isArray(value) ? value.keys() : Object.keys(value);
    for (const key of keys) {
      if (typeof key === "string" && free.has(key)) continue;
      names.push(key);
      look(Reflect.get(value, key));
      names.pop();
    }
  };
  look(settings);
}
