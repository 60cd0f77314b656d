import type { ArgoTask, ArgoTemplate, ArgoWorkflow } from "../src/index.js";

/** What is wrong with a workflow: names that lead nowhere, templates that nothing leads to, arguments that are missing. */
export function mistakesOf(workflow: ArgoWorkflow): string[] {
  const { templates = [], arguments: parameters } = workflow.spec;
  const byName = new Map(templates.map((template) => [template.name, template]));
  const mistakes: string[] = byName.size === templates.length ? [] : ["two templates have one name"];
  const names = parameters.parameters.map(({ name }) => name);
  if (new Set(names).size !== names.length) mistakes.push("two parameters have one name");
  const reached = reachable(workflow.spec.entrypoint, byName);
  for (const template of templates) {
    if (!reached.has(template.name)) mistakes.push(`nothing leads to ${template.name}`);
    mistakes.push(...mistakesOfTemplate(template, byName, new Set(names)));
  }
  return mistakes;
}

type Templates = ReadonlyMap<string, ArgoTemplate>;

function reachable(entrypoint: string, templates: Templates): ReadonlySet<string> {
  const reached = new Set([entrypoint]);
  for (const name of reached) {
    for (const task of templates.get(name)?.dag?.tasks ?? []) {
      reached.add(task.template);
      if (task.hooks !== undefined) reached.add(task.hooks.exit.template);
    }
  }
  return reached;
}

function mistakesOfTemplate(
  template: ArgoTemplate,
  templates: Templates,
  parameters: ReadonlySet<string>,
): string[] {
  const { name, inputs, outputs, dag } = template;
  const declared = new Set(inputs.parameters?.map((one) => one.name));
  const given = new Set(outputs.parameters?.map((one) => one.name));
  const mistakes: string[] = [];
  const missing = (what: string) => mistakes.push(`${name}: there is no ${what}`);
  for (const text of plainTexts({ ...template, dag: undefined })) {
    for (const [, one = ""] of text.matchAll(/\{\{inputs\.parameters\.([^}]+)\}\}/g))
      if (!declared.has(one)) missing(`input ${one}`);
    for (const [, one = ""] of text.matchAll(/\{\{outputs\.parameters\.([^}]+)\.path\}\}/g))
      if (!given.has(one)) missing(`output ${one}`);
  }
  const tasks = new Map(dag?.tasks.map((task) => [task.name, task]));
  if (tasks.size !== (dag?.tasks.length ?? 0)) mistakes.push(`${name}: two tasks have one name`);
  for (const task of tasks.values()) {
    mistakes.push(...mistakesOfTask(task, templates).map((one) => `${name}: ${one}`));
    for (const text of plainTexts(task)) {
      for (const [, one = ""] of text.matchAll(/\{\{inputs\.parameters\.([^}]+)\}\}/g))
        if (!declared.has(one)) missing(`input ${one}`);
      for (const [, one = ""] of text.matchAll(/\{\{workflow\.parameters\.([^}]+)\}\}/g))
        if (!parameters.has(one)) missing(`parameter ${one}`);
      for (const [, of = "", one = ""] of text.matchAll(
        /\{\{tasks\.(.+?)\.outputs\.parameters\.([^}]+)\}\}/g,
      )) {
        const made = templates.get(tasks.get(of)?.template ?? "")?.outputs.parameters ?? [];
        if (!made.some((output) => output.name === one)) missing(`output ${one} of ${of}`);
        if (!(task.depends ?? "").includes(`${of}.Succeeded`))
          mistakes.push(`${name}: ${task.name} does not wait for ${of}`);
      }
    }
    for (const dependency of task.depends?.split(" && ") ?? []) {
      if (!tasks.has(dependency.replace(/\.Succeeded$/, ""))) missing(`task ${dependency}`);
    }
  }
  const volumes = new Set(template.volumes?.map((volume) => volume.name));
  for (const container of [template.container, ...(template.initContainers ?? [])]) {
    for (const mount of container?.volumeMounts ?? [])
      if (!volumes.has(mount.name)) missing(`volume ${mount.name}`);
  }
  return mistakes;
}

/** The arguments of a task are the inputs of its template: all that have no default, and no others. */
function mistakesOfTask(task: ArgoTask, templates: Templates): string[] {
  const template = templates.get(task.template);
  if (template === undefined) return [`${task.name} runs ${task.template}, which there is not`];
  const given = new Set(task.arguments.parameters.map(({ name }) => name));
  const inputs = template.inputs.parameters ?? [];
  const missing = inputs.filter(
    ({ name, default: otherwise }) => otherwise === undefined && !given.has(name),
  );
  // The back end gives every DAG a condition, which it does not declare.
  const known = new Set([...inputs.map(({ name }) => name), "condition"]);
  const unknown = [...given].filter((name) => !known.has(name));
  return [
    ...missing.map(({ name }) => `${task.name} gives no ${name}`),
    ...unknown.map((name) => `${task.name} gives ${name}, which nobody takes`),
  ];
}

/** The texts in a value, without those that carry a specification. */
function* plainTexts(value: unknown): Generator<string> {
  if (typeof value === "string") {
    if (!value.startsWith('{"')) yield value;
  } else if (typeof value === "object" && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      yield* plainTexts(name);
      yield* plainTexts(member);
    }
  }
}
