import {
  type ComponentNode,
  describeComponent,
  describeValue,
  type ExecutorNode,
  type ImporterSpec,
  inputParameter,
  ownEntry,
  type PipelineGraph,
  pointer,
} from "@wye/pipeline-spec";
import { areCompatible, describeArtifact, schemaTitle } from "../artifact-type.js";
import { importerExample as example, goodUri } from "../importer-example.js";
import { type ImporterUri, importerUris, takesRegistries } from "../importer-uris.js";
import { near } from "../name-hint.js";
import { quote } from "../quote.js";
import { always, type Finding, type RelatedFinding, type Rule, type RuleFamily, underKfp } from "../rule.js";
import { hasScheme, storageHint, unreadScheme } from "../storage-uri.js";

/** A component that an importer runs. */
interface Importer {
  readonly component: ComponentNode;
  readonly executor: ExecutorNode;
  readonly path: string;
  readonly spec: ImporterSpec;
}

function importers({ components }: PipelineGraph): readonly Importer[] {
  return components.flatMap((component) => {
    const { executor } = component;
    if (executor?.spec.spec?.$case !== "importer") return [];
    return [{ component, executor, path: `${executor.path}/importer`, spec: executor.spec.spec.value }];
  });
}

const fromInput = (type: string, field: string) => `
root:
  inputDefinitions: {parameters: {where: {parameterType: STRING}}}
  dag:
    tasks:
      loop: null
      import:
        taskInfo: {name: import}
        componentRef: {name: comp-import}
        inputs: {parameters: {uri: {componentInputParameter: where}}}
components:
  comp-loop: null
  comp-import:
    executorLabel: exec-import
    inputDefinitions: {parameters: {uri: {parameterType: ${type}}}}
    outputDefinitions: {artifacts: {artifact: {artifactType: {schemaTitle: system.Dataset}}}}
deploymentSpec:
  executors:
    exec-import: {importer: {typeSchema: {schemaTitle: system.Dataset}, artifactUri: {runtimeParameter: ${field}}}}
`;

const twice = (uri: string) => `
root:
  dag:
    tasks:
      loop: null
      import:
        taskInfo: {name: import}
        componentRef: {name: comp-import}
        inputs: {parameters: {uri: {runtimeValue: {constant: '${uri}'}}}}
components:
  comp-loop: null
  comp-import:
    executorLabel: exec-import
    inputDefinitions: {parameters: {uri: {parameterType: STRING}}}
    outputDefinitions: {artifacts: {artifact: {artifactType: {schemaTitle: system.Dataset, schemaVersion: 0.0.1}}}}
deploymentSpec:
  executors:
    exec-import: {importer: {typeSchema: {schemaTitle: system.Dataset, schemaVersion: 0.0.1}, ${goodUri}}}
`;

const importerOutput: Rule = {
  id: "importer-output",
  summary: "The component of an importer has exactly one output artifact.",
  reason: "The driver fails with `failed to extract output artifact name`.",
  severity: always("error"),
  examples: {
    wrong: example(goodUri)
      .replace("outputDefinitions:", "inputDefinitions:")
      .replace("0.0.1}}}}\ndep", "0.0.1}, isOptional: true}}}\ndep"),
    right: example(goodUri),
  },
  *check(index) {
    for (const { component } of index.once(importers)) {
      const { artifacts = {} } = component.spec.outputDefinitions ?? {};
      const count = Object.keys(artifacts).length;
      if (count === 1) continue;
      const at = count === 0 ? component.path : `${component.path}/outputDefinitions/artifacts`;
      yield {
        at,
        part: "key",
        message: `${describeComponent(component)} is run by an importer and has ${count} output artifacts, not 1`,
        ...(count === 0 ? { sought: [`${component.path}/outputDefinitions/artifacts/*`] } : {}),
      };
    }
  },
};

/** Where an importer takes a URI from that stands elsewhere. */
const taken = ({ takenAt }: ImporterUri): { readonly related?: readonly RelatedFinding[] } =>
  takenAt === undefined ? {} : { related: [{ at: takenAt, message: "imported from here" }] };

const importerUri: Rule = {
  id: "importer-uri-missing",
  summary: "An importer has a URI.",
  reason: "The driver fails with `artifact uri not provided`, or because a value is empty or no text.",
  severity: always("error"),
  examples: { wrong: example("artifactUri: {constant: ''}"), right: example(goodUri) },
  *check(index) {
    for (const { spec, path } of index.executors) {
      if (spec.spec?.$case !== "importer" || spec.spec.value.artifactUri?.value !== undefined) continue;
      const at = `${path}/importer/artifactUri`;
      const message = "the importer has no artifactUri";
      yield { at, part: "key", message, hint: "add a constant or runtimeParameter", sought: [`${at}/*`] };
    }
    for (const uri of index.once(importerUris)) {
      if (typeof uri.value === "string" && uri.value !== "") continue;
      const isEmpty = (uri.value ?? "") === "";
      const message = isEmpty ? "is empty" : `is ${describeValue(uri.value)}, and no text`;
      yield { at: uri.at, message: `the URI of the importer ${message}`, hint: storageHint, ...taken(uri) };
    }
  },
};

const importerScheme: Rule = {
  id: "importer-uri-scheme",
  summary: "The URI of an imported artifact has a scheme, and `oci` is for models only.",
  reason: "The importer of the back end fails with `no provider scheme found in artifact URI`.",
  severity: underKfp("error"),
  examples: { wrong: example("artifactUri: {constant: bucket/data.csv}"), right: example(goodUri) },
  *check(index) {
    for (const uri of index.once(importerUris)) {
      const { at, value, importer } = uri;
      if (typeof value !== "string" || value === "") continue;
      const [, placeholder] = /\{\{\$\.inputs\.parameters\['(.+?)'\]/.exec(value) ?? [];
      // What a task gives may be a placeholder that is filled in; the text of the importer itself is taken as it stands.
      if (uri.takenAt !== undefined && value.includes("{{$")) continue;
      if (!hasScheme(value)) {
        const hint = placeholder === undefined ? storageHint : `write runtimeParameter: ${placeholder}`;
        yield { at, message: `the URI ${quote(value)} has no scheme`, hint, ...taken(uri) };
      } else if (value.startsWith("oci://") && !takesRegistries(importer)) {
        const message = `an artifact of type ${schemaTitle(importer.typeSchema)} cannot come from an OCI registry`;
        yield { at, message, hint: "use system.Model", ...taken(uri) };
      }
    }
  },
};

const importerUnread: Rule = {
  id: "importer-uri-unread",
  summary: "The scheme of an imported artifact is none that is known to be read by nothing.",
  reason:
    "The launcher downloads nothing from there, and leaves the path of the artifact to the program as it was written.",
  severity: underKfp("warning"),
  examples: { wrong: example("artifactUri: {constant: 'gcs://bucket/data.csv'}"), right: example(goodUri) },
  *check(index) {
    for (const uri of index.once(importerUris)) {
      const [scheme, hint] = (typeof uri.value === "string" && unreadScheme(uri.value)) || [];
      if (scheme === undefined) continue;
      yield { at: uri.at, message: `the back end does not read from ${scheme}`, hint, ...taken(uri) };
    }
  },
};

const importerUnused: Rule = {
  id: "importer-uri-unused",
  summary: "A task gives an importer with a constant URI no other one.",
  reason:
    "The compiler writes the URI twice, for the importer and for its task; only that of the importer counts, and whoever changes the other one changes nothing.",
  severity: always("warning"),
  examples: {
    wrong: twice("gs://bucket/old.csv"),
    right: twice("gs://bucket/data.csv"),
  },
  *check(index) {
    for (const { component, path, spec } of index.once(importers)) {
      const uri = spec.artifactUri?.value;
      if (uri?.$case !== "constant" || typeof uri.value !== "string" || uri.value === "") continue;
      for (const task of component.uses) {
        const source = task.input("parameter", "uri")?.source;
        if (source?.kind !== "constant" || typeof source.value !== "string" || source.value === uri.value)
          continue;
        const message = `the importer does not take this, but ${quote(uri.value)}`;
        const related = [{ at: `${path}/artifactUri/constant`, message: "taken from here" } as const];
        yield { at: source.at, message, hint: "write the same in both places", related };
      }
    }
  },
};

const importerInput: Rule = {
  id: "importer-input-unknown",
  summary:
    "The input that holds the URI of an importer is declared by its component and supplied by its tasks.",
  reason: "The driver fails with `cannot find parameter in task input to fetch artifact uri`.",
  severity: always("error"),
  examples: { wrong: fromInput("STRING", "url"), right: fromInput("STRING", "uri") },
  *check(index, profile) {
    for (const { component, path, spec } of index.once(importers)) {
      const uri = spec.artifactUri?.value;
      if (uri?.$case !== "runtimeParameter" || uri.value === "") continue;
      const { value: name } = uri;
      const at = pointer(`${component.path}/inputDefinitions/parameters`, name);
      const declared = inputParameter(component, name);
      if (declared === undefined) {
        yield {
          at: `${path}/artifactUri/runtimeParameter`,
          message: `${describeComponent(component)} has no input parameter ${quote(name)}`,
          hint: near(name, component.spec.inputDefinitions?.parameters),
          sought: [at],
        };
      } else if (profile === "kfp" && (declared.isOptional || declared.defaultValue !== undefined)) {
        yield* unsupplied(component, name, at);
      }
    }
  },
};

/** Tasks that leave the URI to its default, of which the importer of the back end knows nothing. */
function* unsupplied({ uses }: ComponentNode, name: string, declaredAt: string): Generator<Finding> {
  for (const task of uses) {
    if (task.input("parameter", name) !== undefined) continue;
    const related = [{ at: declaredAt, part: "key", message: "declared here" }] as const;
    const message = `task ${quote(task.name)} does not supply ${quote(name)}, and importers use no defaults`;
    const sought = [pointer(`${task.path}/inputs/parameters`, name)];
    yield { at: `${task.path}/inputs`, part: "key", message, hint: `add ${quote(name)}`, related, sought };
  }
}

const importerSource: Rule = {
  id: "importer-uri-source",
  summary: "The URI of an importer is a constant or an input of the enclosing component.",
  reason: "The importer of the back end refuses the output of another task.",
  severity: underKfp("warning"),
  examples: {
    wrong: fromInput("STRING", "uri").replace(
      "{componentInputParameter: where}",
      "{taskOutputParameter: {producerTask: prepare, outputParameterKey: label}}",
    ),
    right: fromInput("STRING", "uri"),
  },
  *check(index) {
    for (const { component, spec } of index.once(importers)) {
      const uri = spec.artifactUri?.value;
      if (uri?.$case !== "runtimeParameter") continue;
      for (const task of component.uses) {
        const source = ownEntry(task.spec.inputs?.parameters, uri.value);
        if (source?.kind?.$case !== "taskOutputParameter") continue;
        const at = `${pointer(`${task.path}/inputs/parameters`, uri.value)}/taskOutputParameter`;
        const message = "the back end does not import from a URI that another task gives";
        yield { at, part: "key", message, hint: "pass it as an input of the enclosing component" };
      }
    }
  },
};

const importerType: Rule = {
  id: "importer-type-mismatch",
  summary: "The type that an importer gives its artifact is the one that its component declares.",
  reason: "Consumers rely on the declared type.",
  severity: always("error"),
  examples: {
    wrong: example(goodUri).replace(
      "typeSchema: {schemaTitle: system.Dataset",
      "typeSchema: {schemaTitle: system.Model",
    ),
    right: example(goodUri),
  },
  *check(index) {
    for (const { component, path, spec } of index.once(importers)) {
      const outputs = Object.entries(component.spec.outputDefinitions?.artifacts ?? {});
      const [name, declared] = outputs[0] ?? [];
      if (outputs.length !== 1 || name === undefined || declared === undefined) continue;
      if (areCompatible(declared.artifactType, spec.typeSchema)) continue;
      const found = describeArtifact({ artifactType: spec.typeSchema, isArtifactList: false });
      const at = pointer(`${component.path}/outputDefinitions/artifacts`, name);
      yield {
        at: `${path}/typeSchema`,
        part: "key",
        message: `the importer makes ${found}, but its component declares ${describeArtifact(declared)}`,
        related: [{ at, part: "key", message: "declared here" }],
      };
    }
  },
};

const importerCondition: Rule = {
  id: "condition-on-importer",
  summary: "A task that runs an importer has no condition.",
  reason: "The compiler of the back end refuses it.",
  severity: underKfp("error"),
  examples: {
    wrong: example(goodUri)
      .replace(
        "componentRef: {name: comp-import}",
        "componentRef: {name: comp-import}, inputs: {parameters: {rows: {componentInputParameter: rows}}}, triggerPolicy: {condition: \"inputs.parameter_values['rows'] > 1\"}",
      )
      .replace(
        "executorLabel: exec-import",
        "executorLabel: exec-import\n    inputDefinitions: {parameters: {rows: {parameterType: NUMBER_INTEGER}}}",
      ),
    right: example(goodUri),
  },
  *check(index) {
    for (const { component } of index.once(importers)) {
      for (const { spec, path } of component.uses) {
        if ((spec.triggerPolicy?.condition ?? "") === "") continue;
        const message = "the back end does not support conditions on importers";
        yield {
          at: `${path}/triggerPolicy/condition`,
          part: "key",
          message,
          hint: "put the task into a DAG with the condition",
        };
      }
    }
  },
};

/** Rules about importers. */
export const importerRules: RuleFamily = {
  title: "Importers",
  appliesTo: ({ executors }) => executors.some(({ spec }) => spec.spec?.$case === "importer"),
  rules: [
    importerOutput,
    importerUri,
    importerScheme,
    importerUnread,
    importerUnused,
    importerInput,
    importerSource,
    importerType,
    importerCondition,
  ],
};
