import { describe, expect, test } from "vitest";
import { type PipelineDraft, rewritePipeline } from "../index.js";

interface Row {
  readonly name: string;
  readonly from: string;
  readonly change: (draft: PipelineDraft) => void;
  readonly to: string;
}

const head = "root: {dag: {}}\ndeploymentSpec:\n  executors:\n    e:\n      container:\n        image: x\n";

const container = ({ deployment }: PipelineDraft) => {
  const spec = deployment.executors.e?.spec;
  return spec?.$case === "container" ? spec.value : expect.unreachable("there is a container");
};

const renaming =
  (newName: (name: string) => string) =>
  ({ spec }: PipelineDraft): void => {
    const definitions = spec.root?.inputDefinitions ?? expect.unreachable("there are inputs");
    const parameters = Object.entries(definitions.parameters);
    definitions.parameters = Object.fromEntries(parameters.map(([name, value]) => [newName(name), value]));
  };

const defaultOf = (draft: PipelineDraft): Record<string, unknown> =>
  // The file says that it is a STRUCT.
  draft.spec.root?.inputDefinitions?.parameters.a?.defaultValue as Record<string, unknown>;

const withDefault = (lines: string): string =>
  `root:\n  inputDefinitions:\n    parameters:\n      a:\n        parameterType: STRUCT\n        defaultValue:\n${lines}  dag: {}\n`;

const env =
  "        env:\n        - name: A # of a\n          value: one\n        # above b\n        - name: B # of b\n          value: two # 2\n        - name: C # of c\n          value: three\n";
const envInBrackets =
  "        env: [\n          {name: A, value: one}, # of a\n          {name: B, value: two}, # of b\n          {name: C, value: three} # of c\n        ]\n";
const inputs =
  "root:\n  inputDefinitions:\n    parameters:\n      a: # of a\n        parameterType: STRING # a\n      # above b\n      b: # of b\n        parameterType: STRING # b\n      c: {parameterType: STRING} # of c\n  dag: {}\n";

const rows: readonly Row[] = [
  {
    name: "an item is changed below one that is removed",
    from: head + env,
    change: (draft) => {
      container(draft).env.shift();
      container(draft).env[0] = { name: "B", value: "other" };
    },
    to: `${head}        env:\n        # above b\n        - name: B # of b\n          value: other # 2\n        - name: C # of c\n          value: three\n`,
  },
  {
    name: "an item in brackets is changed below one that is removed",
    from: head + envInBrackets,
    change: (draft) => {
      container(draft).env.shift();
      container(draft).env[0] = { name: "B", value: "other" };
    },
    to: `${head}        env: [\n          {name: B, value: other}, # of b\n          {name: C, value: three} # of c\n        ]\n`,
  },
  {
    name: "all items are changed below a new one",
    from: head + env,
    change: (draft) => {
      const changed = container(draft).env.map(({ name, value }) => ({ name, value: `${value}!` }));
      container(draft).env = [{ name: "Z", value: "new" }, ...changed];
    },
    to: `${head}        env:\n        - name: Z\n          value: new\n        - name: A # of a\n          value: one!\n        # above b\n        - name: B # of b\n          value: two! # 2\n        - name: C # of c\n          value: three!\n`,
  },
  {
    name: "another item comes for one that is called otherwise",
    from: head + env,
    change: (draft) => {
      container(draft).env[1] = { name: "Z", value: "new" };
    },
    to: `${head}        env:\n        - name: A # of a\n          value: one\n        - name: Z\n          value: new\n        # above b\n        - name: C # of c\n          value: three\n`,
  },
  {
    name: "a text is changed below one that is removed",
    from: `${head}        args:\n        - --rows # rows\n        - --seed=1 # seed\n        - --log # log\n`,
    change: (draft) => {
      container(draft).args = ["--seed=2", "--log"];
    },
    to: `${head}        args:\n        - --seed=2 # seed\n        - --log # log\n`,
  },
  {
    name: "entries of equal values get other names",
    from: inputs,
    change: renaming((name) => `my-${name}`),
    to: inputs.replaceAll(/^ {6}(?=\w)/gm, "      my-"),
  },
  {
    name: "an entry gets another name while one of an equal value goes",
    from: inputs,
    change: (draft) => {
      delete draft.spec.root?.inputDefinitions?.parameters.a;
      renaming((name) => (name === "b" ? "my-b" : name))(draft);
    },
    to: inputs
      .replace("      a: # of a\n        parameterType: STRING # a\n", "")
      .replace("      b:", "      my-b:"),
  },
  {
    name: "brackets with nothing but comments are filled",
    from: `${head}        args: [ # arguments\n          # none yet\n        ] # end\n`,
    change: (draft) => {
      container(draft).args = ["one", "two"];
    },
    to: `${head}        args: [ # arguments\n          # none yet\n          one,\n          two\n        ] # end\n`,
  },
  {
    name: "a map in brackets with nothing but a comment is filled",
    from: withDefault("          x: { # of x\n          } # end\n"),
    change: (draft) => {
      defaultOf(draft).x = { v: 1 };
    },
    to: withDefault("          x: { # of x\n            v: 1\n          } # end\n"),
  },
  ...["", " "].map((blank) => ({
    name: `others come before a bracket behind which comments stay, with ${blank === "" ? "no blank" : "a blank"}`,
    from: withDefault(`          x: { # own\n            y: 1${blank}} # end\n`),
    change: (draft: PipelineDraft) => {
      defaultOf(draft).x = { v: { w: 2 } };
    },
    to: withDefault(`          x: { # own\n            v: {w: 2}${blank}} # end\n`),
  })),
  {
    name: "others come into brackets in which comments stay",
    from: withDefault("          x: {\n            # own\n            y: 1 # of y\n          } # end\n"),
    change: (draft) => {
      defaultOf(draft).x = { z: 2 };
    },
    to: withDefault("          x: {\n            # own\n            z: 2\n          } # end\n"),
  },
  {
    name: "the last in brackets goes, and another comes",
    from: withDefault("          x: {\n            y: 1, # of y\n            z: 2 # of z\n          }\n"),
    change: (draft) => {
      defaultOf(draft).x = { y: 1, w: 3 };
    },
    to: withDefault("          x: {\n            y: 1, # of y\n            w: 3\n          }\n"),
  },
  {
    name: "a list no further in than its key, with comments, is emptied",
    from: withDefault("          x: # of x\n          - one\n          - two # 2\n          y: 1 # of y\n"),
    change: (draft) => {
      defaultOf(draft).x = [];
    },
    to: withDefault("          x: # of x\n            []\n          y: 1 # of y\n"),
  },
  {
    name: "a list no further in than its key, with comments, becomes a map",
    from: withDefault("          x: # of x\n          - one\n          - two # 2\n          y: 1 # of y\n"),
    change: (draft) => {
      defaultOf(draft).x = { z: [1], w: 2 };
    },
    to: withDefault(
      "          x: # of x\n            w: 2\n            z:\n            - 1\n          y: 1 # of y\n",
    ),
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

test("JSON in lines has no comma too many when its last member makes place for another", () => {
  const json = (member: string) =>
    JSON.stringify(
      {
        root: { dag: {} },
        deploymentSpec: { executors: { e: { container: { image: "x", [member]: ["a"] } } } },
      },
      undefined,
      2,
    );
  const result = rewritePipeline(json("args"), (draft) => {
    Object.assign(container(draft), { args: [], command: ["a", "b"] });
  });
  expect(result.ok && JSON.parse(result.text)).toEqual({
    ...JSON.parse(json("args")),
    deploymentSpec: { executors: { e: { container: { image: "x", command: ["a", "b"] } } } },
  });
});

test.each([
  ["the first", ["x", "echo two"], ["echo two\nmore"], "        - |-\n          echo two\n          more\n"],
  [
    "the one before, which is not the first",
    ["echo one", "x", "echo two"],
    ["echo one", "echo two\nmore"],
    "        - echo one\n        - |-\n          echo two\n          more\n",
  ],
])("an item becomes lines behind its own dash when %s goes", (_, before, after, lines) => {
  const items = before.map((item) => `        - ${item}\n`).join("");
  const result = rewritePipeline(`${head}        command:\n${items}`, (draft) => {
    container(draft).command = after;
  });
  expect(result).toEqual({ ok: true, text: `${head}        command:\n${lines}`, keptComments: true });
});

describe("the specification and the platform specification in one document", () => {
  const bundle = `pipeline_spec:
  pipelineInfo: {name: a} # the name
  root: {}
platform_spec:
  platforms:
    kubernetes:
      # the settings
      deploymentSpec: {executors: {e: {imagePullPolicy: Always}}}
`;

  test("are each changed where they stand", () => {
    const result = rewritePipeline(bundle, ({ spec, platform }) => {
      Object.assign(spec.pipelineInfo ?? expect.fail(), { name: "b" });
      const settings = platform?.platforms.kubernetes?.deploymentSpec?.executors ?? expect.fail();
      settings.e = { imagePullPolicy: "Never" };
    });
    const text = bundle.replace("name: a", "name: b").replace("Always", "Never");
    expect(result).toEqual({ ok: true, text, keptComments: true });
  });
});

describe("a file that has to be printed anew", () => {
  const text = `pipelineInfo: {name: &a a} # the name
deploymentSpec: {executors: {e: {container: {image: &b c}}}}
root: {dag: {tasks: {*b : {taskInfo: {name: *a}}}}}
`;

  test("has all that was changed, and says that its comments are lost", () => {
    const result = rewritePipeline(text, ({ spec, deployment }) => {
      Object.assign(spec.pipelineInfo ?? expect.fail(), { name: "b" });
      deployment.executors = {};
    });
    const printed = [
      ...["deploymentSpec: {}", "pipelineInfo:", "  name: b", "root:", "  dag:", "    tasks:"],
      ...["      c:", "        taskInfo:", "          name: a", ""],
    ];
    expect(result).toEqual({ ok: true, text: printed.join("\n"), keptComments: false });
  });
});
