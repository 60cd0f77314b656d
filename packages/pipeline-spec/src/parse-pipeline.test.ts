import { describe, expect, test } from "vitest";
import { brief } from "../test/marked-text.js";
import { locate, type ParseOptions, type ParseResult, type Pipeline, parsePipeline } from "./index.js";

function pipelineOf(result: ParseResult): Pipeline {
  expect(result.problems.filter(({ severity }) => severity === "error")).toEqual([]);
  if (!result.ok) throw new Error("not parsed");
  return result.pipeline;
}

describe("what Kubernetes loses of a PipelineVersion is read as what was meant, and told at its line:", () => {
  const manifest = (spec: string, platform: string) =>
    `apiVersion: pipelines.kubeflow.org/v2beta1\nkind: Pipeline\n---\napiVersion: pipelines.kubeflow.org/v2beta1\nkind: PipelineVersion\nspec:\n  ${spec}: {pipelineInfo: {name: p}, schemaVersion: 2.1.0, root: {dag: {}}}\n  ${platform}: {platforms: {kubernetes: {}}}\n  labels: {}\n`;
  const rows: readonly [spec: string, platform: string, ...problems: string[]][] = [
    ["pipelineSpec", "platformSpec"],
    ["pipelineSpec", "platformSpc", "unknown-field /spec/platformSpc 8:3"],
    ["pipelineSpec", "platform_spec", "unknown-field /spec/platform_spec 8:3"],
    ["pipelineSpc", "platformSpec", "unknown-field /spec/pipelineSpc 7:3"],
    [
      "pipelinespec",
      "platfromSpec",
      "unknown-field /spec/pipelinespec 7:3",
      "unknown-field /spec/platfromSpec 8:3",
    ],
  ];
  for (const [spec, platform, ...problems] of rows) {
    test(`${spec} and ${platform}`, () => {
      const result = parsePipeline(manifest(spec, platform));
      const pipeline = result.ok ? result.pipeline : result.partial;
      expect(brief(result.problems)).toEqual(problems);
      expect(pipeline?.spec.pipelineInfo?.name).toBe("p");
      expect(Object.keys(pipeline?.platform?.platforms ?? {})).toEqual(["kubernetes"]);
    });
  }
});

describe("a text that is no pipeline is one clear problem:", () => {
  const rows: readonly [name: string, text: string | Uint8Array, problem: string, message: RegExp][] = [
    ["nothing", "", "empty  1:1", /no document/],
    ["space", " \n\n", "empty  1:1", /no document/],
    ["comments", "# a\n# b\n", "empty  1:1", /no document/],
    ["null", "null\n", "empty  1:1", /no document/],
    ["separators", "---\n---\n", "empty  1:1", /no document/],
    ["text", "hello\n", "not-a-pipeline  1:1", /got the text "hello"/],
    ["a list", "- a\n", "not-a-pipeline  1:1", /got a list/],
    ["a list in JSON", '["a"]', "not-a-pipeline  1:1", /got a list/],
    ["another object", "a: b\n", "not-a-pipeline  1:1", /neither a pipeline specification nor/],
    ["a Kubernetes resource", "apiVersion: v1\nkind: Pod\n", "not-a-pipeline  1:1", /Kubernetes Pod/],
    [
      "a Kubernetes resource beside a specification that is none",
      "root: {dag: {}}\n---\napiVersion: v1\nkind: Pod\n",
      "not-a-pipeline  3:1",
      /Kubernetes Pod/,
    ],
    [
      "an Argo workflow",
      "apiVersion: argoproj.io/v1alpha1\nkind: Workflow\n",
      "version-1  1:1",
      /an Argo Workflow/,
    ],
    ["a component of version 1", "name: a\nimplementation: {}\n", "version-1  1:1", /component of version 1/],
    [
      "a platform specification alone",
      "platforms: {}\n",
      "no-specification  1:1",
      /no pipeline specification/,
    ],
    ["a job without a specification", "runtimeConfig: {}\n", "no-specification  1:1", /no pipelineSpec/],
    ["two specifications", "root: {}\n---\nroot: {}\n", "several-pipelines  3:1", /second pipeline/],
    [
      "two platform specifications",
      "root: {}\n---\nplatforms: {}\n---\nplatforms: {}\n",
      "several-platforms  5:1",
      /second platform/,
    ],
    ["a third document", "root: {}\n---\nplatforms: {}\n---\na: b\n", "not-a-pipeline  5:1", /neither/],
    ["a zip archive", Uint8Array.from([0x50, 0x4b, 3, 4, 0xff]), "not-text  1:5", /archive/],
    ["a gzip archive", Uint8Array.from([0x1f, 0x8b, 8, 0]), "not-text  1:2", /archive/],
    ["a picture", Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a]), "not-text  1:1", /not text/],
    ["a picture read as text", "\ufffdPNG\r\n\u001a\n\u0000", "not-text  2:1", /U\+001A/],
    ["UTF-16", Uint8Array.from([0xff, 0xfe, 0x61, 0]), "not-text  1:1", /not text/],
    ["a lone surrogate", "a: \ud800\n", "not-text  1:4", /U\+D800/],
    ["a tab", "root:\n\tdag: {}\n", "yaml-syntax  2:1", /a tab indents/],
    ["a missing bracket", "root: {dag: {}\n", "yaml-syntax  1:7", /bracket is not closed/],
    ["a missing quote", 'root: "a\n', "yaml-syntax  1:7", /quote is not closed/],
    ["two values in a line", "root: a: b\n", "yaml-syntax  1:7", /second colon/],
    ["a document of wrong indentation", "root:\n   dag: {}\n  a: b\n", "yaml-syntax  3:1", /same column/],
    ["a directive alone", "%YAML 1.1\n", "yaml-syntax  2:1", /directives-end/],
    [
      "JSON with a missing comma",
      '{"root": {} "sdkVersion": "x"}',
      "yaml-syntax  1:13",
      /nothing more after the value, got a text/,
    ],
  ];
  for (const [name, text, problem, message] of rows) {
    test(name, () => {
      const result = parsePipeline(text);
      expect(result.ok).toBe(false);
      expect(brief(result.problems).slice(0, 1)).toEqual([problem]);
      expect(result.problems[0]?.message).toMatch(message);
    });
  }
});

describe("accepts", () => {
  const specification = { pipelineInfo: { name: "p" }, root: { dag: {} } };
  const platform = { platforms: { kubernetes: { pipelineConfig: { activeDeadlineSeconds: 5 } } } };
  const forms: readonly [
    name: string,
    text: string,
    specPath: string,
    platformPath: string,
    withPlatform: boolean,
  ][] = [
    ["a specification in YAML", "pipelineInfo: {name: p}\nroot: {dag: {}}\n", "", "", false],
    ["a specification in JSON", JSON.stringify(specification), "", "", false],
    ["names as in the proto file", "pipeline_info: {name: p}\nroot: {dag: {}}\n", "", "", false],
    ["two documents", `${JSON.stringify(specification)}\n---\n${JSON.stringify(platform)}\n`, "", "", true],
    [
      "empty documents between",
      `---\n${JSON.stringify(specification)}\n---\n---\n${JSON.stringify(platform)}\n---\n`,
      "",
      "",
      true,
    ],
    ["an empty map behind it", `${JSON.stringify(specification)}\n---\n{}\n`, "", "", false],
    [
      "two documents in the other order",
      `${JSON.stringify(platform)}\n---\n${JSON.stringify(specification)}\n`,
      "",
      "",
      true,
    ],
    ["a job", JSON.stringify({ displayName: "j", pipelineSpec: specification }), "/pipelineSpec", "", false],
    [
      "a job with a platform",
      `${JSON.stringify({ pipeline_spec: specification })}\n---\n${JSON.stringify(platform)}`,
      "/pipeline_spec",
      "",
      true,
    ],
    [
      "both in one object",
      JSON.stringify({ pipeline_spec: specification, platform_spec: platform }),
      "/pipeline_spec",
      "/platform_spec",
      true,
    ],
    [
      "a Kubernetes resource",
      JSON.stringify({
        apiVersion: "pipelines.kubeflow.org/v2beta1",
        kind: "PipelineVersion",
        spec: { pipelineSpec: specification, platformSpec: platform },
      }),
      "/spec/pipelineSpec",
      "/spec/platformSpec",
      true,
    ],
    [
      "a manifest of several resources, as the SDK writes it",
      `apiVersion: pipelines.kubeflow.org/v2beta1\nkind: Pipeline\nmetadata: {name: p}\n---\n${JSON.stringify(
        {
          apiVersion: "pipelines.kubeflow.org/v2beta1",
          kind: "PipelineVersion",
          spec: { pipelineSpec: specification },
        },
      )}\n---\napiVersion: v1\nkind: ConfigMap\n`,
      "/spec/pipelineSpec",
      "",
      false,
    ],
    ["a byte order mark", `\ufeff${JSON.stringify(specification)}`, "", "", false],
    ["a directive", `%YAML 1.1\n---\n${JSON.stringify(specification)}`, "", "", false],
  ];
  for (const [name, text, specPath, platformPath, withPlatform] of forms) {
    for (const input of [text, new TextEncoder().encode(text)]) {
      test(`${name}, as ${typeof input === "string" ? "text" : "bytes"}`, () => {
        const pipeline = pipelineOf(parsePipeline(input));
        expect(pipeline.spec.pipelineInfo?.name).toBe("p");
        expect(pipeline.spec.root?.implementation?.$case).toBe("dag");
        expect([pipeline.specPath, pipeline.platformPath]).toEqual([specPath, platformPath]);
        const deadline = pipeline.platform?.platforms.kubernetes?.pipelineConfig?.activeDeadlineSeconds;
        expect(deadline).toBe(withPlatform ? 5 : undefined);
      });
    }
  }

  test("anchors, aliases, merge keys and tags of the core schema", () => {
    const text = [
      "sdkVersion: !!str 1",
      "components: &c",
      "  a: &a {executorLabel: x, inputDefinitions: {parameters: {p: {defaultValue: !!float 1}}}}",
      "  b: *a",
      "  c: {<<: *a, executorLabel: y}",
      "  d: {<<: [{executorLabel: z}, *a]}",
    ].join("\n");
    const { spec } = pipelineOf(parsePipeline(text));
    expect(spec.sdkVersion).toBe("1");
    expect(
      Object.entries(spec.components).map(([name, { implementation }]) => [name, implementation?.value]),
    ).toEqual([
      ["a", "x"],
      ["b", "x"],
      ["c", "y"],
      ["d", "z"],
    ]);
    expect(spec.components.d?.inputDefinitions?.parameters.p?.defaultValue).toBe(1);
    expect(spec.components.a).not.toBe(spec.components.b);
  });

  test("integers beyond 2^53, with all their digits", () => {
    const job = (count: string) =>
      `{"pipelineSpec": {}, "runtimeConfig": {"parameters": {"a": {"intValue": ${count}}}}}`;
    for (const text of [job("9007199254740993"), `# YAML\n${job("9_007_199_254_740_993")}`]) {
      const { job: read } = pipelineOf(parsePipeline(text));
      expect(read?.runtimeConfig?.parameters.a?.value).toEqual({
        $case: "intValue",
        value: "9007199254740993",
      });
    }
  });

  test("lines in quotes and in brackets that are indented too little, as libyaml does", () => {
    const text =
      "pipelineInfo:\n  name: \"a\nb\"\n  description: 'c\n\n d'\nroot: {\ndag: {\n}\n}\nsdkVersion: x\n";
    const { spec } = pipelineOf(parsePipeline(text));
    expect(spec.pipelineInfo).toMatchObject({ name: "a b", description: "c\nd" });
    expect(spec.sdkVersion).toBe("x");
  });
});

describe("limits", () => {
  const nested = (levels: number) => `root: ${"[".repeat(levels)}${"]".repeat(levels)}`;
  const laughs = [
    "a: &a [x, x, x, x, x, x, x, x, x, x]",
    ..."bcdefghij".split("").map((name, i) => {
      const before = "abcdefghij"[i];
      return `${name}: &${name} [${Array.from({ length: 10 }, () => `*${before}`).join(", ")}]`;
    }),
  ].join("\n");

  const rows: readonly [name: string, text: string, options: ParseOptions, problem: string][] = [
    ["bytes", "sdkVersion: äää\n", { maxBytes: 18 }, "too-large  1:1"],
    ["tokens", "sdkVersion: [&a a, b, c]\n", { maxTokens: 10 }, "too-large  1:18"],
    ["values", "sdkVersion: [a, b, c, d]\n", { maxTokens: 5 }, "too-large  1:13"],
    ["bytes of what only the library reads", "sdkVersion: &a x\n", { maxSlowBytes: 16 }, "too-large  1:13"],
    ["bytes beside carriage returns", "a: b\r\nc: *a\r\n", { maxSlowBytes: 12 }, "too-large  2:4"],
    ["bytes with a byte order mark", "a: b\nc: \ufeff\n", { maxSlowBytes: 8 }, "too-large  2:4"],
    ["bytes of JSON with a mistake", '{"a": [1, 2],\n "b": [1}\n', { maxSlowBytes: 12 }, "too-large  2:9"],
    [
      "a key that is here twice, in a large text",
      "a: 1\nb: 2\na: 3\n",
      { maxSlowBytes: 12 },
      "too-large  3:1",
    ],
    [
      "values of a large text",
      "sdkVersion: [a, b, c, d]\n",
      { maxTokens: 5, maxSlowBytes: 9 },
      "too-large  1:23",
    ],
    ["depth of a large text", `a: ${"[".repeat(200)}`, { maxSlowBytes: 99 }, "too-deep  1:103"],
    ["depth in brackets", nested(101), {}, "too-deep  1:107"],
    ["depth in brackets, extremely", nested(100_000), {}, "too-deep  1:107"],
    [
      "depth in lines",
      Array.from({ length: 101 }, (_, i) => `${" ".repeat(i)}a:`).join("\n"),
      {},
      `too-deep ${"/a".repeat(100)} 101:101`,
    ],
    ["depth of dashes, extremely", `a: \n  ${"- ".repeat(50_000)}a`, {}, "too-deep  2:215"],
    ["depth of what the library reads", `a: &a\n  ${"- ".repeat(800)}a`, { maxDepth: 1000 }, "too-deep  2:"],
    ["depth of question marks, extremely", "? ".repeat(50_000), {}, "too-deep  1:215"],
    ["depth of dashes and keys, extremely", "- ? ".repeat(50_000), {}, "too-deep  1:215"],
    ["depth in JSON", `{"root":${"[".repeat(200)}${"]".repeat(200)}}`, {}, "wrong-type /root 1:9"],
    [
      "depth of a Struct in JSON",
      `{"deploymentSpec":{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}}`,
      {},
      `too-deep /deploymentSpec/a${"/0".repeat(98)} 1:122`,
    ],
    ["aliases, a billion laughs", laughs, {}, "too-many-aliases"],
    [
      "aliases, merged into each other",
      `root: {dag: {tasks: {a0: &a0 {}\n${Array.from({ length: 30_000 }, (_, i) => `,a${i + 1}: &a${i + 1} {<<: *a${i}}`).join("\n")}\n,z: {<<: *a30000, nope: 1}}}}`,
      {},
      "too-many-aliases",
    ],
    [
      "aliases",
      "sdkVersion: &a x\nroot: {dag: {tasks: {a: {dependentTasks: [*a, *a, *a]}}}}",
      { maxAliasedValues: 2 },
      "too-many-aliases /root/dag/tasks/a/dependentTasks/2 2:51",
    ],
    ["documents", "---\n".repeat(100_000), {}, "too-many-documents  17:1"],
  ];
  for (const [name, text, options, problem] of rows) {
    test(`of ${name} give one problem`, () => {
      const before = process.cpuUsage();
      const result = parsePipeline(text, options);
      expect(result.ok).toBe(false);
      expect(
        brief(result.problems).some((line) => line.startsWith(problem)),
        brief(result.problems).slice(0, 3).join(),
      ).toBe(true);
      // Far above what it takes anywhere, far below what it would take without the limit.
      expect(process.cpuUsage(before).user).toBeLessThan(20_000_000);
    });
  }

  test("of problems leave none uncounted, and say how many are not listed", () => {
    const text = `root: {dag: {tasks: {${Array.from({ length: 5000 }, (_, i) => `t${i}: 1`).join(", ")}}}}`;
    const { problems, counts } = parsePipeline(text);
    expect(problems.filter(({ severity }) => severity === "error")).toHaveLength(1000);
    expect(counts).toEqual({ error: 5000, warning: 0, info: 0 });
    expect(problems.at(-1)).toMatchObject({
      code: "too-many-problems",
      severity: "info",
      message: "not listed: 4000 more errors",
    });
    expect(parsePipeline(text, { maxProblems: 3 }).problems).toHaveLength(4);
  });

  test("of problems never cut an error in favour of remarks, and leave what can be read", () => {
    const parameters = Array.from({ length: 300 }, (_, i) => `p${i}: {type: INT}`).join(", ");
    const text = `root: {inputDefinitions: {parameters: {${parameters}}}, nope: 1}`;
    const result = parsePipeline(text, { maxProblems: 100 });
    expect(result.counts).toEqual({ error: 1, warning: 0, info: 300 });
    expect(result.problems.filter(({ code }) => code === "deprecated-field")).toHaveLength(99);
    expect(result.problems.filter(({ code }) => code === "unknown-field")).toHaveLength(1);
    expect(result.problems.at(-1)?.message).toBe("not listed: 201 more remarks");
    expect(
      result.ok ? undefined : result.partial?.spec.root?.inputDefinitions?.parameters.p299,
    ).toBeDefined();
  });
});

describe("a misspelt field", () => {
  const partialOf = (text: string) => {
    const result = parsePipeline(text);
    return { result, partial: result.ok ? undefined : result.partial };
  };

  test("is an error, and is read as what was meant", () => {
    const text = "root: {dag: {tasks: {a: {componetRef: {nmae: comp-a}}}}}\n";
    const { result, partial } = partialOf(text);
    expect(result.problems.map(({ code, hint }) => `${code} ${hint}`)).toEqual([
      'unknown-field did you mean "componentRef"?',
      'unknown-field did you mean "name"?',
    ]);
    const { implementation } = partial?.spec.root ?? {};
    expect(implementation?.$case === "dag" && implementation.value.tasks.a?.componentRef?.name).toBe(
      "comp-a",
    );
    const { start, end } =
      (partial && locate(partial, "/root/dag/tasks/a/componentRef/name")) ?? expect.fail();
    expect(text.slice(start.offset, end.offset)).toBe("comp-a");
    const key = (partial && locate(partial, "/root/dag/tasks/a/componentRef", "key")) ?? expect.fail();
    expect(text.slice(key.start.offset, key.end.offset)).toBe("componetRef");
  });

  test("does not take the place of what is there, in either spelling", () => {
    for (const right of ["componentRef", "component_ref"]) {
      for (const fields of [
        `componetRef: {name: x}, ${right}: {name: y}`,
        `${right}: {name: y}, componetRef: {}`,
      ]) {
        const { partial } = partialOf(`root: {dag: {tasks: {a: {${fields}}}}}`);
        const { implementation } = partial?.spec.root ?? {};
        expect(implementation?.$case === "dag" && implementation.value.tasks.a?.componentRef?.name).toBe("y");
      }
    }
  });

  test("does not take the place of another member of its oneof", () => {
    const { result, partial } = partialOf("root: {executorLable: e, dag: {}}");
    expect(result.problems.map(({ code }) => code)).toEqual(["unknown-field"]);
    expect(partial?.spec.root?.implementation?.$case).toBe("dag");
  });

  test("of the deployment is only a warning, and is left out as the back end does", () => {
    const result = parsePipeline(
      "root: {dag: {}}\ndeploymentSpec: {executors: {e: {container: {imagge: x}}}}",
    );
    const executor = result.ok ? result.pipeline.deployment.executors.e : expect.fail();
    expect(executor?.spec?.$case === "container" && executor.spec.value.image).toBe("");
  });

  test("that holds everything is read with what is in it", () => {
    const { partial } = partialOf(
      "root: {dag: {}}\ndeploymentSpecs: {executors: {e: {container: {image: x}}}}",
    );
    expect(Object.keys(partial?.deployment.executors ?? {})).toEqual(["e"]);
  });

  const hints: readonly (readonly [text: string, hint: string | undefined])[] = [
    ["apiVersion: v1\nroot: {dag: {}}", "leave it out: a pipeline is no resource of Kubernetes"],
    ["root: {dag: {tasks: {a: {inputs: {parameters: {x: {constant: 5}}}}}}}", "write runtimeValue.constant"],
    ["root: {dag: {tasks: {a: {condition: x}}}}", "write triggerPolicy.condition"],
    [
      "root: {dag: {tasks: {a: {triggerPolicy: {strategy: ALL}}}}}",
      "one of ALL_UPSTREAM_TASKS_SUCCEEDED, ALL_UPSTREAM_TASKS_COMPLETED",
    ],
  ];
  for (const [text, hint] of hints) {
    test(`gets a hint that helps: ${hint}`, () => expect(parsePipeline(text).problems[0]?.hint).toBe(hint));
  }
});

describe("options", () => {
  test("leave out unknown fields", () => {
    const result = parsePipeline("root: {nope: 1}\ndeploymentSpec: {nope: 1}\n", {
      ignoreUnknownFields: true,
    });
    expect(result).toMatchObject({ ok: true, problems: [] });
  });

  test("silence remarks on deprecated fields", () => {
    const text = "root: {inputDefinitions: {parameters: {a: {type: INT}}}}";
    expect(parsePipeline(text).problems).toMatchObject([
      {
        code: "deprecated-field",
        severity: "info",
        hint: 'use "parameterType" instead',
        message: '"type" is deprecated',
      },
    ]);
    expect(parsePipeline(text, { deprecations: false }).problems).toEqual([]);
  });
});

describe("what could be read in spite of errors", () => {
  test("is given without what is wrong", () => {
    const result = parsePipeline("pipelineInfo: {name: 3}\nroot: {dag: {tasks: {a: {nope: 1}}}}\n");
    expect(result.ok).toBe(false);
    const spec = "partial" in result ? result.partial?.spec : undefined;
    expect(spec?.pipelineInfo?.name).toBe("");
    expect(spec?.root?.implementation).toMatchObject({ $case: "dag", value: { tasks: { a: {} } } });
  });

  test("is nothing when there is no specification", () => {
    expect(parsePipeline("platforms: {}")).not.toHaveProperty("partial");
  });
});

describe("executors", () => {
  test("are read as the messages that they are", () => {
    const { deployment, spec } = pipelineOf(
      parsePipeline("deploymentSpec: {executors: {e: {container: {image: i}}}, extra: 1}"),
    );
    expect(deployment.executors.e?.spec).toMatchObject({
      $case: "container",
      value: { image: "i", command: [] },
    });
    expect(spec.deploymentSpec).toEqual({ executors: { e: { container: { image: "i" } } }, extra: 1 });
  });

  test("are those that there are, in either spelling", () => {
    const text =
      "root: {dag: {}}\npipelineInfo: {name: a}\ndeploymentSpec:\ndeployment_spec: {executors: {a: {nope: 1}}}\n";
    expect(parsePipeline(text).problems.map(({ code, path }) => [code, path])).toEqual([
      ["duplicate-field", "/deployment_spec"],
      ["unknown-field", "/deployment_spec/executors/a/nope"],
    ]);
  });

  test("are empty when there are none", () => {
    expect(pipelineOf(parsePipeline("root: {}")).deployment).toEqual({ executors: {} });
  });

  test("are problems only once when the Struct around them is wrong", () => {
    const { problems } = parsePipeline("deploymentSpec: {executors: {e: {importer: {metadata: {a: .nan}}}}}");
    expect(brief(problems)).toEqual(["out-of-range /deploymentSpec/executors/e/importer/metadata/a 1:59"]);
  });
});

describe("mistakes of the program", () => {
  test("are told as such", () => {
    // @ts-expect-error neither text nor bytes
    expect(() => parsePipeline(undefined)).toThrow(
      new TypeError("parsePipeline takes the text or the bytes of a file"),
    );
  });

  test("do not lift a limit", () => {
    const options = { maxBytes: undefined, maxDepth: 1e9 } as unknown as ParseOptions;
    expect(parsePipeline(" ".repeat(33_554_433), options).problems).toMatchObject([{ code: "too-large" }]);
    const deep = `{"deploymentSpec":{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}}`;
    expect(parsePipeline(deep, options).problems.map(({ code }) => code)).toContain("too-deep");
  });
});
