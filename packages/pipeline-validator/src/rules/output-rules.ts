import {
  type ComponentNode,
  describeComponent,
  loopedComponents,
  type OutputSelector,
  outputArtifact,
  outputParameter,
  type PipelineGraph,
  pointer,
} from "@wye/pipeline-spec";
import { areCompatible, describeArtifact } from "../artifact-type.js";
import { near } from "../name-hint.js";
import { kindOf, type ParameterKind } from "../parameter-kind.js";
import { quote } from "../quote.js";
import { always, type Rule, type RuleFamily, underKfp } from "../rule.js";
import { goodOutput } from "./good-output.js";

type OutputKind = "parameters" | "artifacts";
const kinds: readonly OutputKind[] = ["parameters", "artifacts"];

/** An output that a DAG gives, or declares, or both. */
interface DagOutput {
  readonly dag: ComponentNode;
  readonly kind: OutputKind;
  readonly name: string;
  readonly isGiven: boolean;
  readonly isDeclared: boolean;
}

function dagOutputs({ components }: PipelineGraph): readonly DagOutput[] {
  return components.flatMap((dag) => {
    const { implementation, outputDefinitions } = dag.spec;
    if (implementation?.$case !== "dag") return [];
    return kinds.flatMap((kind) => {
      const given = implementation.value.outputs?.[kind] ?? {};
      const declared = outputDefinitions?.[kind] ?? {};
      return [...new Set([...Object.keys(given), ...Object.keys(declared)])].map((name) => {
        const [isGiven, isDeclared] = [Object.hasOwn(given, name), Object.hasOwn(declared, name)];
        return { dag, kind, name, isGiven, isDeclared };
      });
    });
  });
}

const undeclared: Rule = {
  id: "dag-output-undeclared",
  summary: "An output that a DAG gives is declared by its component.",
  reason: "Nobody outside can refer to it, and it may stand for a declared output that then has no value.",
  severity: always("error"),
  examples: {
    wrong: `
components:
  comp-loop: {dag: {outputs: {parameters: {text: {valueFromParameter: {producerSubtask: report, outputParameterKey: text}}}}}}
  comp-report: {outputDefinitions: {parameters: {text: {parameterType: STRING}}}}
deploymentSpec: {executors: {exec-report: {container: {args: ['{{$}}']}}}}
`,
    right: `
components:
  comp-loop:
    dag: {outputs: {parameters: {text: {valueFromParameter: {producerSubtask: report, outputParameterKey: text}}}}}
    outputDefinitions: {parameters: {text: {parameterType: LIST}}}
  comp-report: {outputDefinitions: {parameters: {text: {parameterType: STRING}}}}
deploymentSpec: {executors: {exec-report: {container: {args: ['{{$}}']}}}}
`,
  },
  *check(index) {
    for (const { dag, kind, name, isDeclared } of index.once(dagOutputs)) {
      if (isDeclared) continue;
      const message = `${describeComponent(dag)} declares no output ${kind.slice(0, -1)} ${quote(name)}`;
      const at = pointer(`${dag.path}/dag/outputs/${kind}`, name);
      const declared = dag.spec.outputDefinitions?.[kind];
      const hint = near(name, declared, { otherwise: "declare it in outputDefinitions" });
      const sought = [pointer(`${dag.path}/outputDefinitions/${kind}`, name)];
      yield { at, part: "key", message, hint, sought };
    }
  },
};

const unproduced: Rule = {
  id: "dag-output-unproduced",
  summary: "An output that a DAG declares comes from one of its tasks.",
  reason: "Consumers of the output fail at run time, after everything before them has run.",
  severity: always("error"),
  examples: {
    wrong: "components: {comp-branch: {outputDefinitions: {parameters: {text: {parameterType: STRING}}}}}",
    right: goodOutput,
  },
  *check(index) {
    const all = index.once(dagOutputs);
    const misnamed = new Set(
      all.filter(({ isDeclared }) => !isDeclared).map(({ dag, kind }) => `${dag.path} ${kind}`),
    );
    for (const { dag, kind, name, isGiven } of all) {
      // Where an undeclared output is given, that is the one mistake to report.
      if (isGiven || misnamed.has(`${dag.path} ${kind}`)) continue;
      const at = pointer(`${dag.path}/outputDefinitions/${kind}`, name);
      const message = `no task of ${describeComponent(dag)} gives its output ${quote(name)}`;
      const sought = [pointer(`${dag.path}/dag/outputs/${kind}`, name)];
      yield { at, part: "key", message, hint: `add ${quote(name)} to dag.outputs.${kind}`, sought };
    }
  },
};

const sourceMissing: Rule = {
  id: "dag-output-source-missing",
  summary: "An output of a DAG selects an output of a task.",
  reason: "There is nothing that the output could be.",
  severity: always("error"),
  examples: {
    wrong: `
components:
  comp-branch:
    dag: {outputs: {parameters: {text: {}}}}
    outputDefinitions: {parameters: {text: {parameterType: STRING}}}
`,
    right: goodOutput,
  },
  *check({ components }) {
    for (const { spec, path } of components) {
      if (spec.implementation?.$case !== "dag") continue;
      const { parameters = {}, artifacts = {} } = spec.implementation.value.outputs ?? {};
      for (const [name, { kind }] of Object.entries(parameters)) {
        if (
          kind !== undefined &&
          !(kind.$case === "valueFromOneof" && kind.value.parameterSelectors.length === 0)
        )
          continue;
        const at = pointer(`${path}/dag/outputs/parameters`, name);
        yield {
          at,
          part: "key",
          message: `the output ${quote(name)} selects nothing`,
          hint: "add valueFromParameter",
          sought: [`${at}/*/*`],
        };
      }
      for (const [name, { artifactSelectors }] of Object.entries(artifacts)) {
        if (artifactSelectors.length > 0) continue;
        const at = pointer(`${path}/dag/outputs/artifacts`, name);
        yield {
          at,
          part: "key",
          message: `the output ${quote(name)} selects nothing`,
          hint: "add artifactSelectors",
          sought: [`${at}/artifactSelectors/*`],
        };
      }
    }
  },
};

const typeMismatch: Rule = {
  id: "dag-output-type-mismatch",
  summary: "The outputs that a DAG selects are of the type that it declares.",
  reason:
    "The back end hands the value on as it is, and refuses it where an input of the declared type receives it.",
  severity: { kfp: "warning", spec: "error" },
  examples: {
    wrong: `
components:
  comp-branch:
    dag: {outputs: {parameters: {text: {valueFromParameter: {producerSubtask: report, outputParameterKey: text}}}}}
    outputDefinitions: {parameters: {text: {parameterType: NUMBER_DOUBLE}}}
  comp-report: {outputDefinitions: {parameters: {text: {parameterType: STRING}}}}
deploymentSpec: {executors: {exec-report: {container: {args: ['{{$}}']}}}}
`,
    right: goodOutput,
  },
  *check(index, profile) {
    // Inside of loops compilers before 2.1 declare the type of an item, whatever the output is.
    const doubtful = profile === "kfp" ? index.once(loopedComponents) : undefined;
    for (const dag of index.components) {
      if (doubtful?.has(dag)) continue;
      for (const selector of dag.selectors) {
        if (selector.kind !== "parameter") continue;
        const found = selector.task?.component;
        const wanted = kindOf(outputParameter(dag, selector.output));
        const source = found && kindOf(outputParameter(found, selector.key));
        if (found === undefined || wanted === undefined || source === undefined || wanted === source)
          continue;
        if (profile === "kfp" && isTolerated(source, wanted)) continue;
        const at = selector.keyAt;
        const message = `the output ${quote(selector.output)} is of type ${wanted}, but selects one of type ${source}`;
        yield { at, message, related: declarations(dag, found, selector) };
      }
    }
  },
};

/** Bodies of loops declare the list that their consumers see; and a status may be handed on as an object. */
function isTolerated(source: ParameterKind, declared: ParameterKind): boolean {
  return declared === "LIST" || (source === "TASK_FINAL_STATUS" && declared === "STRUCT");
}

const artifactMismatch: Rule = {
  id: "dag-output-artifact-mismatch",
  summary: "The artifacts that a DAG selects are of the type that it declares.",
  reason: "Consumers would find data of another kind than is declared.",
  severity: always("error"),
  examples: {
    wrong: `
components:
  comp-branch:
    dag: {outputs: {artifacts: {text: {artifactSelectors: [{producerSubtask: report, outputArtifactKey: text}]}}}}
    outputDefinitions: {artifacts: {text: {artifactType: {schemaTitle: system.Model, schemaVersion: 0.0.1}}}}
  comp-report: {outputDefinitions: {artifacts: {text: {artifactType: {schemaTitle: system.HTML, schemaVersion: 0.0.1}}}}}
deploymentSpec: {executors: {exec-report: {container: {args: ['{{$}}']}}}}
`,
    right: `
components:
  comp-branch:
    dag: {outputs: {artifacts: {text: {artifactSelectors: [{producerSubtask: report, outputArtifactKey: text}]}}}}
    outputDefinitions: {artifacts: {text: {artifactType: {schemaTitle: system.HTML, schemaVersion: 0.0.1}}}}
  comp-report: {outputDefinitions: {artifacts: {text: {artifactType: {schemaTitle: system.HTML, schemaVersion: 0.0.1}}}}}
deploymentSpec: {executors: {exec-report: {container: {args: ['{{$}}']}}}}
`,
  },
  *check(index, profile) {
    const looped = index.once(loopedComponents);
    for (const dag of index.components) {
      for (const selector of dag.selectors) {
        if (selector.kind !== "artifact") continue;
        const found = selector.task?.component;
        const wanted = outputArtifact(dag, selector.output);
        const source = found && outputArtifact(found, selector.key);
        if (found === undefined || wanted === undefined || source === undefined) continue;
        const sameLists = wanted.isArtifactList === source.isArtifactList;
        // Of what nobody runs nobody knows whether it is the body of a loop.
        const mayCollect = looped.has(dag) || (dag.uses.length === 0 && dag.name !== undefined);
        const collects = profile === "kfp" && wanted.isArtifactList && mayCollect;
        if (areCompatible(wanted.artifactType, source.artifactType) && (sameLists || collects)) continue;
        const message = `the output ${quote(selector.output)} is ${describeArtifact(wanted)}, but selects ${describeArtifact(source)}`;
        yield {
          at: selector.keyAt,
          message,
          related: declarations(dag, found, selector),
        };
      }
    }
  },
};

function declarations(dag: ComponentNode, producer: ComponentNode, { kind, output, key }: OutputSelector) {
  const here = pointer(`${dag.path}/outputDefinitions/${kind}s`, output);
  const there = pointer(`${producer.path}/outputDefinitions/${kind}s`, key);
  return [
    { at: here, part: "key", message: "declared here" },
    { at: there, part: "key", message: "its source is declared here" },
  ] as const;
}

const executorOutputList: Rule = {
  id: "executor-output-list",
  summary: "Only DAGs give lists of artifacts.",
  reason: "An executor can give one artifact per output; the compiler refuses lists.",
  severity: underKfp("warning"),
  examples: {
    wrong: "components: {comp-train: {outputDefinitions: {artifacts: {model: {isArtifactList: true}}}}}",
    right: "components: {comp-train: {outputDefinitions: {artifacts: {model: {isArtifactList: false}}}}}",
  },
  *check({ components }) {
    for (const component of components) {
      if (component.spec.implementation?.$case !== "executorLabel") continue;
      for (const [name, { isArtifactList }] of Object.entries(
        component.spec.outputDefinitions?.artifacts ?? {},
      )) {
        if (!isArtifactList) continue;
        const at = pointer(`${component.path}/outputDefinitions/artifacts`, name);
        yield { at, part: "key", message: `an executor cannot give the list of artifacts ${quote(name)}` };
      }
    }
  },
};

/** Rules about the outputs of DAGs. */
export const outputRules: RuleFamily = {
  title: "Outputs of DAGs",
  appliesTo: ({ components }) =>
    components.some(({ spec: { implementation, outputDefinitions } }) =>
      implementation?.$case === "dag"
        ? implementation.value.outputs !== undefined || outputDefinitions !== undefined
        : Object.keys(outputDefinitions?.artifacts ?? {}).length > 0,
    ),
  rules: [undeclared, unproduced, sourceMissing, typeMismatch, artifactMismatch, executorOutputList],
};
