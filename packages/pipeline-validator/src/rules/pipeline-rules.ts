import { pointer } from "@wye/pipeline-spec";
import { kindOf } from "../parameter-kind.js";
import { quote } from "../quote.js";
import { always, type Finding, type Rule, type RuleFamily, underKfp } from "../rule.js";
import { storageHint, wrongStorage } from "../storage-uri.js";
import { templateRule } from "../template-values.js";

const nameMissing: Rule = {
  id: "pipeline-name-missing",
  summary: "A pipeline has a name.",
  reason: "The name is required; the server does not recognise a specification without one.",
  severity: always("error"),
  examples: {
    wrong: "pipelineInfo: {name: ''}",
    right: "pipelineInfo: {name: churn}",
  },
  *check({ spec }) {
    if (spec.pipelineInfo === undefined) {
      const message = "the pipeline has no name: pipelineInfo is missing";
      const sought = ["/pipelineInfo"];
      yield { at: "", part: "key", message, hint: "add pipelineInfo with a name", sought };
    } else if (spec.pipelineInfo.name === "") {
      const [message, sought] = ["the pipeline has no name", ["/pipelineInfo/name"]];
      yield { at: "/pipelineInfo", part: "key", message, hint: "add a name", sought };
    }
  },
};

const nameUnusable: Rule = {
  id: "pipeline-name-unusable",
  summary: "The name of a pipeline holds at least one lower-case letter or digit.",
  reason: "The server refuses other names when the file is uploaded.",
  severity: underKfp("error"),
  examples: {
    wrong: "pipelineInfo: {name: CHURN}",
    right: "pipelineInfo: {name: churn}",
  },
  *check({ spec }) {
    const name = spec.pipelineInfo?.name ?? "";
    if (name === "" || /[a-z0-9]/.test(name)) return;
    const message = `the server refuses the name ${quote(name)}: it has no lower-case letter or digit`;
    yield { at: "/pipelineInfo/name", message, hint: styleHint };
  },
};

const styleHint =
  "use lower-case letters, digits and -, beginning with a letter or digit, at most 128 characters";

const nameStyle: Rule = {
  id: "pipeline-name-style",
  summary:
    "The name of a pipeline is made of lower-case letters, digits and `-`, and at most 128 characters long.",
  reason: "The compiler refuses other names, and pipelines cannot be created under them.",
  severity: underKfp("warning"),
  examples: {
    wrong: "pipelineInfo: {name: churn model}",
    right: "pipelineInfo: {name: churn-model}",
  },
  *check({ spec }) {
    const name = spec.pipelineInfo?.name ?? "";
    if (!/[a-z0-9]/.test(name) || /^[a-z0-9][a-z0-9-]{0,127}$/.test(name)) return;
    const message = `${quote(name)} cannot be the name of a stored pipeline`;
    yield { at: "/pipelineInfo/name", message, hint: styleHint };
  },
};

const rootMissing: Rule = {
  id: "root-missing",
  summary: "A pipeline has a root component.",
  reason: "The root is what runs; without it the server does not recognise the specification.",
  severity: always("error"),
  examples: {
    wrong: "root: null\ncomponents: null\ndeploymentSpec: null",
    right: "root: {dag: {tasks: {branch: null}}}\ncomponents: {comp-branch: null}",
  },
  *check({ spec }) {
    if (spec.root !== undefined) return;
    const message = "the pipeline has no root component";
    yield { at: "", part: "key", message, hint: "add root with a dag", sought: ["/root"] };
  },
};

const rootNotDag: Rule = {
  id: "root-not-dag",
  summary: "The root component is a DAG.",
  reason: "A run executes the tasks of the root; a root with an executor is not run by any back end.",
  severity: underKfp("error"),
  examples: {
    wrong: [
      "root: {dag: null, inputDefinitions: null, executorLabel: exec-report}",
      "components: null",
      "deploymentSpec: {executors: {exec-prepare: null, exec-train: null, exec-report: {container: {command: [date]}}}}",
    ].join("\n"),
    right: "root: {dag: {tasks: {branch: null}}}\ncomponents: {comp-branch: null}",
  },
  *check({ root }) {
    if (root?.spec.implementation?.$case !== "executorLabel") return;
    const hint = "wrap the component into a DAG with one task";
    yield {
      at: "/root/executorLabel",
      part: "key",
      message: "the root must be a dag, not an executor",
      hint,
    };
  },
};

const schemaVersion: Rule = {
  id: "schema-version-unsupported",
  summary: "The schema version is 2.1.0.",
  reason: "The server refuses all other versions.",
  severity: underKfp("error"),
  examples: {
    wrong: "schemaVersion: 2.0.0",
    right: "schemaVersion: 2.1.0",
  },
  *check({ spec }) {
    if (spec.schemaVersion === "2.1.0") return;
    if (spec.schemaVersion === "") {
      const message = "the schema version is missing, and the server accepts 2.1.0 only";
      yield { at: "", part: "key", message, hint: "add schemaVersion: 2.1.0", sought: ["/schemaVersion"] };
      return;
    }
    const message = `the server accepts schema version 2.1.0 only, not ${quote(spec.schemaVersion)}`;
    yield { at: "/schemaVersion", message, hint: "compile the pipeline with a current SDK" };
  },
};

const textTooLong: Rule = {
  id: "text-too-long",
  summary: "Descriptions and display names are at most 1024 characters long.",
  reason: "That is the limit of the specification; stores may cut the text or refuse it.",
  severity: { kfp: "warning", spec: "error" },
  examples: {
    wrong: `pipelineInfo: {description: ${"long ".repeat(205)}text}`,
    right: "pipelineInfo: {description: Predicts who will leave.}",
  },
  *check({ spec, components }) {
    yield* tooLong("/pipelineInfo/displayName", spec.pipelineInfo?.displayName);
    yield* tooLong("/pipelineInfo/description", spec.pipelineInfo?.description);
    for (const component of components) {
      for (const side of ["inputDefinitions", "outputDefinitions"] as const) {
        for (const kind of ["parameters", "artifacts"] as const) {
          for (const [name, { description }] of Object.entries(component.spec[side]?.[kind] ?? {})) {
            if (description.length <= mostCharacters) continue;
            yield* tooLong(pointer(component.path, side, kind, name, "description"), description);
          }
        }
      }
    }
  },
};

const mostCharacters = 1024;

function* tooLong(at: string, text = ""): Generator<Finding> {
  // What the specification counts are not the halves of surrogate pairs.
  const { length } = text.length <= mostCharacters ? text : [...text];
  if (length <= mostCharacters) return;
  const message = `this text has ${length} characters, at most ${mostCharacters} are allowed`;
  yield { at, part: "key", message };
}

const rootInputType: Rule = {
  id: "root-input-type",
  summary: "The pipeline requires no input of a type that only the system can fill.",
  reason: "The server refuses every run: no value can be given for TASK_FINAL_STATUS or TASK_CONFIG.",
  severity: underKfp("error"),
  examples: {
    wrong: "root: {inputDefinitions: {parameters: {status: {parameterType: TASK_FINAL_STATUS}}}}",
    right:
      "root: {inputDefinitions: {parameters: {status: {parameterType: TASK_FINAL_STATUS, isOptional: true}}}}",
  },
  *check({ root }) {
    for (const [name, declared] of Object.entries(root?.spec.inputDefinitions?.parameters ?? {})) {
      const kind = kindOf(declared);
      if (kind !== "TASK_FINAL_STATUS" && kind !== "TASK_CONFIG") continue;
      // Without a value the server passes the input over, and the run goes on without it.
      if (declared.isOptional) continue;
      const at = pointer("/root/inputDefinitions/parameters", name, "parameterType");
      yield { at, message: `the pipeline's input ${quote(name)} cannot be of type ${kind}` };
    }
  },
};

const rootArtifact: Rule = {
  id: "root-artifact-required",
  summary: "The pipeline requires no input artifact.",
  reason: "No field of a run request can supply one, so that only a pipeline around this one could run it.",
  severity: underKfp("info"),
  examples: {
    wrong: "root: {inputDefinitions: {artifacts: {data: {artifactType: {schemaTitle: system.Dataset}}}}}",
    right:
      "root: {inputDefinitions: {artifacts: {data: {artifactType: {schemaTitle: system.Dataset}, isOptional: true}}}}",
  },
  *check({ root }): Generator<Finding> {
    for (const [name, declared] of Object.entries(root?.spec.inputDefinitions?.artifacts ?? {})) {
      if (declared.isOptional) continue;
      const at = pointer("/root/inputDefinitions/artifacts", name);
      const message = `a run cannot supply the input artifact ${quote(name)}`;
      const hint = "import the artifact, or make it optional";
      yield { at, part: "key", message, hint, sought: [`${at}/isOptional`] };
    }
  },
};

const pipelineRoot: Rule = {
  id: "pipeline-root-invalid",
  summary: "The pipeline root is the address of a bucket that the launcher can write to.",
  reason: "A task with artifacts fails with `unsupported storage scheme`, unless the run names another root.",
  severity: underKfp("warning"),
  examples: {
    wrong: "defaultPipelineRoot: bucket/runs",
    right: "defaultPipelineRoot: 's3://bucket/runs'",
  },
  *check({ spec: { defaultPipelineRoot: root } }) {
    const why = wrongStorage(root);
    if (why === undefined) return;
    yield {
      at: "/defaultPipelineRoot",
      message: `the pipeline root ${quote(root)} ${why}`,
      hint: storageHint,
    };
  },
};

const template: Rule = {
  id: templateRule,
  summary: "The file is no template that is still to be filled in.",
  reason:
    "The signs of Helm, Jinja and shells are a name, an image or an amount to nobody else. It is told once, in place of all that follows from it.",
  severity: always("error"),
  examples: {
    wrong:
      "deploymentSpec: {executors: {exec-report: {container: {image: '{{ .Values.image }}'}}, exec-prepare: {container: {image: 'prepare:$(TAG)'}}}}",
    right:
      "deploymentSpec: {executors: {exec-report: {container: {args: ['{{ .Values.image }}', '$(TAG)']}}}}",
  },
};

/** Rules about the pipeline as a whole. */
export const pipelineRules: RuleFamily = {
  title: "The pipeline",
  rules: [
    template,
    nameMissing,
    nameUnusable,
    nameStyle,
    rootMissing,
    rootNotDag,
    schemaVersion,
    textTooLong,
    rootInputType,
    rootArtifact,
    pipelineRoot,
  ],
};
