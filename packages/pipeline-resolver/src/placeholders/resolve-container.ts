import {
  checkArguments,
  checkMessage,
  type ExecutorInput,
  type PipelineContainerSpec,
  pointer,
  type ResourceSpec,
} from "@wye/pipeline-spec";
import { type ContainerElement, type ElementPlace, spanInElement } from "./container-element.js";
import { expandVariables } from "./expand-variables.js";
import { InsertionLimit } from "./insertion-limit.js";
import type { PlaceholderProblem, Template } from "./parse-placeholders.js";
import { ParsedTexts } from "./parsed-texts.js";
import { checkContext, type PlaceholderContext, resolveSegments } from "./resolve-placeholders.js";

/** What a container needs beside what placeholders need. */
export interface ContainerContext extends PlaceholderContext {
  /** Variables that the platform sets: `$(NAME)` may refer to them. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** A container, ready to be started. */
export interface ResolvedContainer {
  readonly image: string;
  readonly command: readonly string[];
  readonly args: readonly string[];
  /** In the order of the specification, without the variables of the platform. */
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly resources: ResolvedResources;
}

/** Limits and requests as Kubernetes quantities; what is not asked for is not there. */
export interface ResolvedResources {
  readonly cpuLimit?: string;
  readonly cpuRequest?: string;
  readonly memoryLimit?: string;
  readonly memoryRequest?: string;
  readonly accelerator?: { readonly type: string; readonly count: string };
}

/** Something that is wrong with the placeholders of a container. */
export interface ContainerProblem extends PlaceholderProblem {
  /** The field, as a JSON pointer from the container: `/args/0`. */
  readonly path: string;
}

/** A container with all placeholders filled in, or all reasons why not. */
export type ContainerResult =
  | { readonly ok: true; readonly container: ResolvedContainer }
  | { readonly ok: false; readonly problems: readonly ContainerProblem[] };

/**
 * Fills in the placeholders of image, command, arguments, environment and resources, and expands `$(NAME)` in command, arguments and
 * environment as Kubernetes does. Values that are inserted are never expanded.
 */
export function resolveContainer(
  container: PipelineContainerSpec,
  context: ContainerContext,
): ContainerResult {
  return compileContainer(container)(context);
}

/** `resolveContainer` for a container that is resolved several times: its texts are read once. */
export function compileContainer(
  container: PipelineContainerSpec,
): (context: ContainerContext) => ContainerResult {
  checkMessage("resolveContainer", "PipelineContainerSpec", { container });
  const texts = new ParsedTexts();
  return (context) => resolveParsed(container, context, texts);
}

function resolveParsed(
  container: PipelineContainerSpec,
  context: ContainerContext,
  texts: ParsedTexts,
): ContainerResult {
  checkContext("resolveContainer", context);
  const resolution = new Resolution(context, texts);
  const env = container.env.map(({ name, value }, i) => {
    const expanded = resolution.text(`/env/${i}/value`, value);
    resolution.variables.set(name, expanded);
    return { name, value: expanded };
  });
  const elements = (field: "command" | "args"): string[] =>
    container[field].flatMap((element, i) => resolution.element(`/${field}/${i}`, element));
  const resolved = {
    image: resolution.plain("/image", container.image),
    command: elements("command"),
    args: elements("args"),
    env,
    resources: container.resources ? resourcesFrom(container.resources, resolution) : {},
  };
  const { problems } = resolution;
  return problems.length > 0 ? { ok: false, problems } : { ok: true, container: resolved };
}

/** Fills in the placeholders of all texts in a custom job, at any depth, in keys as well. */
export function resolveCustomJob(
  customJob: Readonly<Record<string, unknown>>,
  context: PlaceholderContext,
):
  | { readonly ok: true; readonly customJob: Record<string, unknown> }
  | { readonly ok: false; readonly problems: readonly ContainerProblem[] } {
  checkArguments("resolveCustomJob", "object", { customJob });
  checkContext("resolveCustomJob", context);
  const resolution = new Resolution(context, new ParsedTexts());
  const resolve = (value: unknown, path: string): unknown => {
    if (typeof value === "string") return resolution.plain(path, value);
    if (Array.isArray(value)) return value.map((item, i) => resolve(item, `${path}/${i}`));
    if (typeof value !== "object" || value === null) return value;
    return resolveMembers(value, path);
  };
  const resolveMembers = (value: object, path: string): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(value).map(([key, one]) => [
        resolution.plain(pointer(path, key), key),
        resolve(one, pointer(path, key)),
      ]),
    );
  const resolved = resolveMembers(customJob, "");
  const { problems } = resolution;
  return problems.length > 0 ? { ok: false, problems } : { ok: true, customJob: resolved };
}

class Resolution {
  readonly problems: ContainerProblem[] = [];
  readonly variables: Map<string, string>;
  readonly #context: ContainerContext;
  readonly #texts: ParsedTexts;
  readonly #limit = new InsertionLimit();

  constructor(context: ContainerContext, texts: ParsedTexts) {
    this.#context = context;
    this.#texts = texts;
    this.variables = new Map(Object.entries(context.environment ?? {}));
  }

  /** A text without `$(NAME)`. */
  plain(path: string, text: string): string {
    return this.#fill(path, this.#texts.template(text), (written) => written);
  }

  /** A text with `$(NAME)`. */
  text(path: string, text: string): string {
    return this.#fill(path, this.#texts.template(text), this.#expandVariables);
  }

  readonly #expandVariables = (written: string): string =>
    written.includes("$") ? expandVariables(this.#texts.variables(written), this.variables) : written;

  /** The texts that an element of a command stands for: none, one or many. */
  element(path: string, text: string): readonly string[] {
    const { element, problems } = this.#texts.element(text);
    const structure = problems.filter(({ code }) => code === "structure");
    this.problems.push(...structure.map((problem) => ({ ...problem, path })));
    return this.#expand(path, element);
  }

  #expand(path: string, element: ContainerElement): readonly string[] {
    switch (element.kind) {
      case "text":
        return [this.#fill(path, element.template, this.#expandVariables, element.place)];
      case "concat":
        return [element.parts.flatMap((part) => this.#expand(path, part)).join("")];
      case "if-present": {
        const chosen = isPresent(this.#context.executorInput, element.name)
          ? element.present
          : element.absent;
        return chosen.flatMap((one) => this.#expand(path, one));
      }
    }
  }

  #fill(
    path: string,
    template: Template,
    expand: (written: string) => string,
    place: ElementPlace = { offset: 0 },
  ): string {
    const problems: PlaceholderProblem[] = [];
    const segments = resolveSegments(template, this.#context, problems, this.#limit);
    for (const problem of problems)
      this.problems.push({ ...problem, path, span: spanInElement(problem.span, place) });
    return segments.map(({ text, inserted }) => (inserted ? text : expand(text))).join("");
  }
}

/** An input is present when it has a value other than null, or an artifact. */
function isPresent({ inputs }: ExecutorInput, name: string): boolean {
  if (!inputs) return false;
  const { parameterValues, artifacts } = inputs;
  if (Object.hasOwn(parameterValues, name)) return (parameterValues[name] ?? null) !== null;
  return Object.hasOwn(artifacts, name) && (artifacts[name]?.artifacts.length ?? 0) > 0;
}

/** The texts win over the old numbers, of which memory counts gigabytes. */
function resourcesFrom(spec: ResourceSpec, resolution: Resolution): ResolvedResources {
  const quantity = (
    field: keyof ResourceSpec,
    text: string,
    old: number,
    unit: string,
  ): string | undefined => {
    if (text !== "") return resolution.plain(`/resources/${field}`, text);
    return old > 0 ? `${old}${unit}` : undefined;
  };
  const { accelerator } = spec;
  const type = accelerator?.resourceType || accelerator?.type;
  const count = (accelerator?.resourceCount || accelerator?.count) ?? "0";
  const found = {
    cpuLimit: quantity("resourceCpuLimit", spec.resourceCpuLimit, spec.cpuLimit, ""),
    cpuRequest: quantity("resourceCpuRequest", spec.resourceCpuRequest, spec.cpuRequest, ""),
    memoryLimit: quantity("resourceMemoryLimit", spec.resourceMemoryLimit, spec.memoryLimit, "G"),
    memoryRequest: quantity("resourceMemoryRequest", spec.resourceMemoryRequest, spec.memoryRequest, "G"),
    accelerator: type && {
      type: resolution.plain("/resources/accelerator/resourceType", type),
      count: resolution.plain("/resources/accelerator/resourceCount", count),
    },
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined && value !== ""));
}
