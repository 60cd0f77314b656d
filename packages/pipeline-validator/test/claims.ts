import { validatePipeline } from "../src/index.js";

export interface Parts {
  /** What the tasks of the root are besides `make`. */
  readonly root: string;
  /** What the tasks of the DAG `inner` are. */
  readonly inner: string;
  /** More components. */
  readonly more?: string;
  readonly inputs?: string;
  /** The settings of what mounts the claim, when they are others. */
  readonly settings?: (mounted: string) => string;
}

export const claim = (input: string): string => `inputs: {parameters: {pvc_name: ${input}}}`;
export const made = "{taskOutputParameter: {producerTask: make, outputParameterKey: name}}";
export const given = "{componentInputParameter: name}";
export const constant = "{runtimeValue: {constant: data}}";
export const task = (name: string, component: string, more = "") =>
  `${name}: {taskInfo: {name: ${name}}, componentRef: {name: comp-${component}}, ${more}}`;
export const after = (...names: readonly string[]): string => `dependentTasks: [${names.join(", ")}]`;
export const when = (value: string): string =>
  `triggerPolicy: {condition: "inputs.parameter_values['name'] == '${value}'"}`;

const mount = (from: string): string => `pvcMount: [{mountPath: /d, pvcNameParameter: ${from}}]`;

const text = ({ root, inner, more = "", inputs = "", settings = mount }: Parts, mounted: string): string => `
pipelineInfo: {name: a}
schemaVersion: 2.1.0
root:
  inputDefinitions: {parameters: {name: {parameterType: STRING, defaultValue: data}${inputs}}}
  dag:
    tasks:
      make:
        taskInfo: {name: make}
        componentRef: {name: comp-make}
        inputs: {parameters: {access_modes: {runtimeValue: {constant: [ReadWriteOnce]}}, size: {runtimeValue: {constant: 1Gi}}}}
      ${root}
components:
  comp-inner: {inputDefinitions: {parameters: {name: {parameterType: STRING}}}, dag: {tasks: {${inner}}}}
  ${more}
  comp-make:
    executorLabel: make
    inputDefinitions: {parameters: {access_modes: {parameterType: LIST}, size: {parameterType: STRING}}}
    outputDefinitions: {parameters: {name: {parameterType: STRING}}}
  comp-use: {executorLabel: use}
  comp-drop: {executorLabel: drop, inputDefinitions: {parameters: {pvc_name: {parameterType: STRING}}}}
deploymentSpec:
  executors:
    make: {container: {image: argostub/createpvc}}
    use: {container: {image: 'a:1', command: [b]}}
    drop: {container: {image: argostub/deletepvc}}
---
platforms: {kubernetes: {deploymentSpec: {executors: {use: {${settings(mounted)}}}}}}
`;

export const early = (parts: Parts, mounted: string): readonly string[] =>
  validatePipeline(text(parts, mounted))
    .problems.filter(({ code }) => code === "volume-deleted-early")
    .map(({ path, message, hint }) => `${path}: ${message}: ${hint}`);

export const inputs = (name: string): string => `inputs: {parameters: {name: ${name}}}`;
export const use: string = task("use", "use");
export const innerUse: { readonly inner: string } = { inner: use };
export const conditionalUse: string = task("use", "use", `${inputs(given)}, ${when("a")}`);
export const conditionalDrop = (value: string): string =>
  task("drop", "drop", `${claim(given)}, ${when(value)}`).replace("pvc_name:", `name: ${given}, pvc_name:`);
export const notWaiting = (drop: string, hint: string): readonly string[] => [
  `${drop}: task "drop" deletes a volume claim without waiting for task "use", which mounts it: ${hint}`,
];
export const addInner: readonly string[] = notWaiting(
  "/root/dag/tasks/drop",
  'add "loop" to its dependentTasks',
);

export const making = (name: string, more: string): string =>
  task(
    name,
    "make",
    `${claim(constant)}, ${more}`.replace(
      "pvc_name:",
      "access_modes: {runtimeValue: {constant: [ReadWriteOnce]}}, size: {runtimeValue: {constant: 1Gi}}, pvc_name:",
    ),
  );
export const own = (name: string, from: string): string =>
  task("use", "use", `inputs: {parameters: {${name}: ${from}}}`);
export const dropping = (more = ""): string => task("drop", "drop", `${claim(made)}, ${more}`);
