import { expect, test } from "vitest";
import { ExecutorSpec, type PipelineDraft, rewritePipeline } from "../index.js";

interface Row {
  readonly name: string;
  readonly from: string;
  readonly change: (draft: PipelineDraft) => void;
  readonly to: string;
}

const withoutInput = ({ spec }: PipelineDraft): void => {
  delete spec.root?.inputDefinitions?.parameters.a;
};

const rows: readonly Row[] = [
  {
    name: "comments in brackets stay when all that stands in lines of its own is removed",
    from: "root:\n  inputDefinitions: { # inputs\n    # own\n    parameters: {a: {parameterType: STRING}}, # of a\n    # end\n  } # after\n  dag: {}\n",
    change: withoutInput,
    to: "root:\n  inputDefinitions: { # inputs\n    # own\n    # end\n  } # after\n  dag: {}\n",
  },
  {
    name: "brackets without comments of their own are closed",
    from: "root:\n  inputDefinitions: {\n    parameters: {a: {parameterType: STRING}} # of a\n  } # after\n  dag: {}\n",
    change: withoutInput,
    to: "root:\n  inputDefinitions: {} # after\n  dag: {}\n",
  },
  {
    name: "the comment of the last line goes when nothing of a map stays",
    from: "root:\n  inputDefinitions: # inputs\n    # own\n    parameters:\n      a:\n        parameterType: STRING # of a\n    # end\n  dag: {}\n",
    change: withoutInput,
    to: "root:\n  inputDefinitions: # inputs\n    # own\n    {}\n    # end\n  dag: {}\n",
  },
  {
    name: "the comment of the last line does not come to stand beside another entry",
    from: "deploymentSpec:\n  executors: # all\n    a:\n      container:\n        image: x\n        args:\n        - b # of b\n# root\nroot: {dag: {}}\n",
    change: ({ deployment }) => {
      delete deployment.executors.a;
      deployment.executors.d = ExecutorSpec.create({
        spec: { $case: "container", value: { image: "other", command: ["c"] } },
      });
    },
    to: "deploymentSpec:\n  executors: # all\n    d:\n      container:\n        command:\n        - c\n        image: other\n# root\nroot: {dag: {}}\n",
  },
  {
    name: "the comment of an only item stays beside what takes its place",
    from: "deploymentSpec:\n  executors:\n    a:\n      container:\n        image: x\n        args:\n        - b # why\nroot: {dag: {}}\n",
    change: ({ deployment }) => {
      const spec = deployment.executors.a?.spec;
      if (spec?.$case === "container") spec.value.args = ["c"];
    },
    to: "deploymentSpec:\n  executors:\n    a:\n      container:\n        image: x\n        args:\n        - c # why\nroot: {dag: {}}\n",
  },
  {
    name: "the last platform is removed where it stands",
    from: "# head\nroot: {dag: {}} # root\n---\nplatforms: # platforms\n  kubernetes: # of kubernetes\n    deploymentSpec: {executors: {a: {imagePullPolicy: Always}}} # of a\n# end\n",
    change: ({ platform }) => {
      delete platform?.platforms.kubernetes;
    },
    to: "# head\nroot: {dag: {}} # root\n---\nplatforms: # platforms\n  {}\n# end\n",
  },
  {
    name: "a first entry behind a question mark goes with it",
    from: "? components\n:\n  c: {executorLabel: a} # of c\n# root\nroot: {dag: {}}\n",
    change: ({ spec }) => {
      delete spec.components.c;
    },
    to: "# root\nroot: {dag: {}}\n",
  },
];

for (const { name, from, change, to } of rows) {
  for (const lineEnd of ["\n", "\r\n"]) {
    test(`${name} (${JSON.stringify(lineEnd)})`, () => {
      const result = rewritePipeline(from.replaceAll("\n", lineEnd), change);
      expect(result).toEqual({ ok: true, text: to.replaceAll("\n", lineEnd), keptComments: true });
    });
  }
}
