import { type PipelineDraft, ResourceSpec, walkMessages } from "../src/index.js";
import { randomNumbers } from "./yaml-mutations.js";

type Random = (below: number) => number;

/** Changes that an organisation could want, in places that look random and are the same for the same seed. */
export function randomChange(seed: number): (draft: PipelineDraft) => void {
  return (draft) => {
    const random = randomNumbers(seed);
    for (let count = 1 + random(3); count > 0; count--) pick(changes, random)?.(draft, random);
  };
}

function pick<T>(items: readonly T[], random: Random): T | undefined {
  return items[random(items.length)];
}

const texts: readonly string[] = [
  ...[
    "mirror.example/python:3.12",
    "plain text",
    "it's",
    "yes",
    "1e3",
    "",
    " ",
    "ü\u2028",
    "a: b",
    "a #b",
    "[x]",
  ],
  ...[
    "{{$.inputs.parameters['x']}}",
    "two\nlines\n",
    "no end\nof line",
    "many ends\n\n\n",
    "\n  indented\n",
    "---",
  ],
  ...[
    "x".repeat(300),
    "- a",
    "&a",
    "*a",
    "|",
    ">-",
    "'quoted'",
    '"quoted"',
    "tab\there",
    "__proto__",
    "null",
  ],
];

function messages<N extends "PipelineContainerSpec" | "PipelineTaskSpec" | "ComponentSpec">(
  { spec, deployment }: PipelineDraft,
  name: N,
) {
  const places = [
    ...walkMessages("PipelineSpec", spec),
    ...walkMessages("PipelineDeploymentConfig", deployment),
  ];
  return places.filter((place) => place.name === name);
}

function container(draft: PipelineDraft, random: Random) {
  const place = pick(messages(draft, "PipelineContainerSpec"), random);
  return place?.name === "PipelineContainerSpec" ? place.message : undefined;
}

function task(draft: PipelineDraft, random: Random) {
  const place = pick(messages(draft, "PipelineTaskSpec"), random);
  return place?.name === "PipelineTaskSpec" ? place.message : undefined;
}

function component(draft: PipelineDraft, random: Random) {
  const place = pick(messages(draft, "ComponentSpec"), random);
  return place?.name === "ComponentSpec" ? place.message : undefined;
}

/** Changes an item, takes it out, or puts one in. */
function changeList(list: string[] | undefined, random: Random): void {
  if (list === undefined) return;
  const text = pick(texts, random) ?? "";
  const at = random(list.length + 1);
  const kind = random(4);
  if (kind === 0) list.splice(at, 1);
  else if (kind === 1) list.splice(at, 0, text, pick(texts, random) ?? "");
  else if (kind === 2) list.splice(random(at + 1), 1 + random(2), text);
  else list.splice(at, 1, text);
}

function changeEntries<T>(map: { [name: string]: T } | undefined, random: Random, value: T): void {
  if (map === undefined) return;
  const names = Object.keys(map);
  const name = pick(names, random);
  const kind = random(3);
  if (kind === 0 && name !== undefined) delete map[name];
  else if (kind === 1 && name !== undefined) map[name] = value;
  else map[pick(["new-one", "yes", "a b", "1", "x".repeat(90)], random) ?? ""] = value;
}

const constant = (random: Random): unknown =>
  pick([1, -0.5, true, null, "text", { a: [1, { b: "two\nlines" }], c: {} }, [], [[1, [2]], []], {}], random);

const changes: readonly ((draft: PipelineDraft, random: Random) => void)[] = [
  ({ spec }, random) => {
    if (spec.pipelineInfo) spec.pipelineInfo.name = pick(texts, random) ?? "";
  },
  ({ spec }, random) => {
    if (spec.pipelineInfo) spec.pipelineInfo.description = pick(texts, random) ?? "";
  },
  ({ spec }) => {
    spec.pipelineInfo = undefined;
  },
  ({ spec }, random) => {
    spec.defaultPipelineRoot = pick(texts, random) ?? "";
  },
  (draft, random) => {
    const found = container(draft, random);
    if (found !== undefined) found.image = pick(texts, random) ?? "";
  },
  (draft, random) => changeList(container(draft, random)?.command, random),
  (draft, random) => changeList(container(draft, random)?.args, random),
  (draft, random) => {
    const found = container(draft, random);
    found?.env.splice(random(found.env.length + 1), random(3), {
      name: "TEAM",
      value: pick(texts, random) ?? "",
    });
  },
  (draft, random) => {
    const found = container(draft, random);
    if (found !== undefined)
      found.resources =
        random(3) === 0
          ? undefined
          : ResourceSpec.create({ resourceMemoryLimit: "2Gi", cpuLimit: random(9) });
  },
  (draft, random) => changeList(task(draft, random)?.dependentTasks, random),
  (draft, random) => {
    const found = task(draft, random);
    if (found !== undefined)
      found.cachingOptions = random(2) === 0 ? undefined : { enableCache: random(2) === 0, cacheKey: "" };
  },
  (draft, random) => {
    const found = task(draft, random);
    if (found !== undefined) found.inputs = undefined;
  },
  (draft, random) =>
    changeEntries(task(draft, random)?.inputs?.parameters, random, {
      parameterExpressionSelector: "",
      kind: {
        $case: "runtimeValue",
        value: { value: { $case: "constant", value: constant(random) } },
      },
    }),
  (draft, random) => {
    const found = component(draft, random);
    if (found?.implementation?.$case !== "dag") return;
    const { tasks } = found.implementation.value;
    const [name = ""] = Object.keys(tasks);
    if (random(2) === 0) delete tasks[name];
    else if (tasks[name] !== undefined) tasks["a-copy"] = structuredClone(tasks[name]);
  },
  (draft, random) => {
    const found = component(draft, random)?.inputDefinitions?.parameters ?? {};
    const parameter = found[pick(Object.keys(found), random) ?? ""];
    if (parameter === undefined) return;
    parameter.description = pick(texts, random) ?? "";
    parameter.isOptional = !parameter.isOptional;
    parameter.defaultValue = constant(random);
  },
  ({ platform }, random) => {
    const executors = platform?.platforms.kubernetes?.deploymentSpec?.executors;
    changeEntries<{ [name: string]: unknown } | undefined>(executors, random, {
      imagePullPolicy: pick(texts, random),
    });
  },
  ({ deployment }, random) => {
    const name = pick(Object.keys(deployment.executors), random) ?? "";
    if (random(2) === 0) delete deployment.executors[name];
    else
      deployment.executors["exec-new"] = structuredClone(deployment.executors[name] ?? { spec: undefined });
  },
];
