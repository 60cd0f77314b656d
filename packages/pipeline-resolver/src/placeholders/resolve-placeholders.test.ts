import { ExecutorInput, type PartialMessage, PipelineContainerSpec } from "@wye/pipeline-spec";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type ContainerContext,
  type PlaceholderContext,
  resolveContainer,
  resolveCustomJob,
  resolvePlaceholders,
} from "../index.js";

const executorInput = ExecutorInput.create({
  inputs: {
    parameterValues: {
      int: 3,
      fraction: 2.5,
      huge: 1e21,
      tiny: 1.5e-7,
      text: "a b",
      bool: true,
      none: null,
      list: [1, "a", 2.0],
      struct: { k: 1, a: { z: null } },
      sneaky: "{{$.inputs.parameters['int']}} $(HOME) {{$}}",
      __proto__: 1,
    },
    artifacts: {
      data: {
        artifacts: [
          {
            name: "12",
            uri: "gs://bucket/data",
            type: { kind: { $case: "schemaTitle", value: "system.Dataset" } },
            metadata: { rows: 5, deep: { er: "x" } },
            customProperties: { old: { value: { $case: "intValue", value: "7" } } },
          },
        ],
      },
      several: { artifacts: [{ name: "1", uri: "oci://host/img:tag" }, { name: "2" }] },
      nowhere: { artifacts: [{ uri: "ftp://x/y" }] },
      empty: {},
    },
  },
  outputs: {
    parameters: { o: { outputFile: "/tmp/kfp/outputs/o" } },
    artifacts: {
      model: { artifacts: [{ name: "model", uri: "minio://b/model", customPath: "/mnt/model" }] },
    },
    outputFile: "/tmp/kfp/out.json",
  },
});
const context: PlaceholderContext = {
  executorInput,
  facts: { pipeline_job_name: "run 1", workspace_path: "/ws" },
};

const filled = (text: string, more: Partial<PlaceholderContext> = {}): unknown => {
  const result = resolvePlaceholders(text, { ...context, ...more });
  return result.ok ? result.text : result.problems.map(({ code, message }) => `${code}: ${message}`);
};

describe("placeholders become values", () => {
  const cases = [
    ["{{$.inputs.parameters['int']}}", "3"],
    ["{{$.inputs.parameters['fraction']}}", "2.5"],
    ["{{$.inputs.parameters['huge']}}", "1000000000000000000000"],
    ["{{$.inputs.parameters['tiny']}}", "0.00000015"],
    ["{{$.inputs.parameters['text']}}", "a b"],
    ["{{$.inputs.parameters['bool']}}", "true"],
    ["{{$.inputs.parameters['none']}}", ""],
    ["{{$.inputs.parameters['list']}}", '[1,"a",2]'],
    ["{{$.inputs.parameters['struct']}}", '{"a":{"z":null},"k":1}'],
    ["--x={{$.inputs.parameters['int']}},{{$.inputs.parameters.text}}!", "--x=3,a b!"],
    ["{{$.inputs.parameters['sneaky']}}", "{{$.inputs.parameters['int']}} $(HOME) {{$}}"],
    ["{{$.inputs.artifacts['data'].uri}}", "gs://bucket/data"],
    ["{{$.inputs.artifacts['data'].path}}", "/gcs/bucket/data"],
    ["{{$.inputs.artifacts['data'].name}}", "12"],
    ["{{$.inputs.artifacts['data'].metadata['rows']}}", "5"],
    ["{{$.inputs.artifacts['data'].metadata['deep']['er']}}", "x"],
    ["{{$.inputs.artifacts['data'].metadata}}", '{"deep":{"er":"x"},"old":7,"rows":5}'],
    ["{{$.inputs.artifacts['data'].properties['old']}}", "7"],
    ["{{$.inputs.artifacts['several'].path}}", "/oci/host_img:tag/models"],
    ["{{$.inputs.artifacts['several']}}", '[{"name":"1","uri":"oci://host/img:tag"},{"name":"2"}]'],
    [
      "{{$.outputs.artifacts['model']}}",
      '{"customPath":"/mnt/model","name":"model","uri":"minio://b/model"}',
    ],
    ["{{$.outputs.artifacts['model'].path}}", "/mnt/model"],
    ["{{$.outputs.artifacts['model'].uri}}", "minio://b/model"],
    ["{{$.outputs.parameters['o'].output_file}}", "/tmp/kfp/outputs/o"],
    ["{{$.outputs.output_file}}", "/tmp/kfp/out.json"],
    ["{{$.outputMetadataUri}}", "/tmp/kfp/out.json"],
    ["{{$.pipeline_job_name}}", "run 1"],
    ["{{$.workspace_path}}/x", "/ws/x"],
    [
      "{{workflow.uid}} $(VAR) {{ $.inputs.parameters['int'] }}",
      "{{workflow.uid}} $(VAR) {{ $.inputs.parameters['int'] }}",
    ],
  ] as const;
  for (const [text, wanted] of cases) test(text, () => expect(filled(text)).toBe(wanted));

  test("{{$}} is the executor input as compact JSON with whole numbers", () => {
    const text = String(filled("{{$}}"));
    expect(text).toContain('"list":[1,"a",2]');
    expect(text).toContain('"outputs":{"artifacts"');
    expect(JSON.parse(text)).toMatchObject({ inputs: { parameterValues: { huge: 1e21, none: null } } });
  });

  test("paths can be the caller's", () => {
    expect(filled("{{$.inputs.artifacts['data'].path}}", { pathOf: ({ name }) => `/local/${name}` })).toBe(
      "/local/12",
    );
  });
});

describe("placeholders without a value are problems, or stay", () => {
  const cases = [
    ["{{$.inputs.parameters['nope']}}", "missing: there is no input parameter nope"],
    ["{{$.inputs.parameters['toString']}}", "missing: there is no input parameter toString"],
    ["{{$.inputs.artifacts['nope'].uri}}", "missing: there is no input artifact nope"],
    ["{{$.inputs.artifacts['empty'].uri}}", "missing: the artifact empty is an empty list"],
    [
      "{{$.inputs.artifacts['data'].metadata['no']['pe']}}",
      "missing: the artifact data has no metadata no.pe",
    ],
    [
      "{{$.inputs.artifacts['data'].metadata['toString']}}",
      "missing: the artifact data has no metadata toString",
    ],
    [
      "{{$.inputs.artifacts['nowhere'].path}}",
      "unavailable: the artifact nowhere has no local path: ftp://x/y",
    ],
    ["{{$.outputs.parameters['nope'].output_file}}", "missing: there is no output parameter nope"],
    ["{{$.outputs.artifacts['nope'].uri}}", "missing: there is no output artifact nope"],
    ["{{$.pipeline_job_uuid}}", "unavailable: pipeline_job_uuid is not known here"],
    ["{{$.json_escape[1]}}", "unavailable: json_escape is known to the hosted service alone"],
    [
      "{{$.inputs.parameters['text'].json_escape[0]}}",
      "unavailable: json_escape is known to the hosted service alone",
    ],
    [
      "{{$.currentTime.strftime('%Y')}}",
      "unavailable: currentTime is filled in by the server before a run starts",
    ],
  ] as const;
  for (const [text, wanted] of cases) {
    test(text, () => {
      expect(filled(`x${text}`)).toEqual([wanted]);
      const result = resolvePlaceholders(`x${text}`, context);
      expect(!result.ok && result.problems[0]?.span).toEqual({ start: 1, end: 1 + text.length });
      expect(filled(`x${text}`, { unresolved: "keep" })).toBe(`x${text}`);
    });
  }

  test("a message that says nothing of the output file names none, and one that says nothing else has empty values", () => {
    const file = "missing: the executor input names no output file";
    const executorInput = ExecutorInput.create({
      inputs: { parameterValues: { empty: "" }, artifacts: { a: { artifacts: [{}] } } },
      outputs: { parameters: { o: {} }, artifacts: { b: { artifacts: [{}] } } },
    });
    const cases = {
      "{{$.outputs.output_file}}": [file],
      "{{$.inputs.parameters['empty']}}": "",
      "{{$.inputs.artifacts['a'].uri}}": "",
      "{{$.inputs.artifacts['a'].name}}": "",
      "{{$.outputs.parameters['o'].output_file}}": "",
      "{{$.outputs.artifacts['b'].uri}}": "",
      "{{$.pipeline_job_uuid}}": "",
    };
    const found = Object.keys(cases).map((text) =>
      filled(text, { executorInput, facts: { pipeline_job_uuid: "" } }),
    );
    expect(found).toEqual(Object.values(cases));
    expect(
      filled("{{$.outputs.output_file}}", { executorInput: ExecutorInput.create({ outputs: {} }) }),
    ).toEqual([file]);
  });

  test("all are reported at once, also without an executor input", () => {
    const texts = cases.slice(0, 9).map(([text]) => text);
    const result = resolvePlaceholders([...texts, "{{$.outputs.output_file}}"].join(""), {
      executorInput: ExecutorInput.create(),
    });
    expect(!result.ok && result.problems.length).toBe(10);
  });
});

describe("containers", () => {
  const resolve = (
    spec: PartialMessage<PipelineContainerSpec>,
    more: Partial<ContainerContext> = {},
  ): unknown => {
    const result = resolveContainer(PipelineContainerSpec.create(spec), { ...context, ...more });
    return result.ok ? result.container : result.problems.map(({ path, message }) => `${path}: ${message}`);
  };

  test("command, arguments, image and environment", () => {
    expect(
      resolve({
        image: "python:{{$.inputs.parameters['int']}}",
        command: ["sh", "-c", "echo {{$.inputs.parameters['text']}}"],
        args: ["--n", "{{$.inputs.parameters['int']}}"],
        env: [{ name: "N", value: "{{$.inputs.parameters['int']}}" }],
      }),
    ).toEqual({
      image: "python:3",
      command: ["sh", "-c", "echo a b"],
      args: ["--n", "3"],
      env: [{ name: "N", value: "3" }],
      resources: {},
    });
  });

  test.each([
    ["stays, as its value in the image is not known", {}, [], "$(A)/x"],
    ["is that of the platform", { A: "/p" }, [], "/p/x"],
    ["is the one before, if it is set twice", { A: "/p" }, [{ name: "A", value: "1" }], "1/x"],
  ])("a variable in the value of itself %s", (_, environment, before, value) => {
    const env = [...before, { name: "A", value: "$(A)/x" }];
    expect(resolve({ env, args: ["$(A)"] }, { environment })).toMatchObject({
      args: [value],
      env: [...before, { name: "A", value }],
    });
  });

  test("$(NAME) is expanded from variables that come earlier, and from those of the platform", () => {
    expect(
      resolve(
        {
          command: ["$(HOME)/run", "$(A)$(B)", "$$(A)", "$(mktemp -d)", "a$", "$(A", "$$$(A)"],
          env: [
            { name: "A", value: "$(HOME)-$(LATER)-$$(HOME)" },
            { name: "LATER", value: "{{$.inputs.parameters['sneaky']}}$(A)" },
          ],
        },
        { environment: { HOME: "/root" } },
      ),
    ).toMatchObject({
      command: [
        "/root/run",
        "/root-$(LATER)-$(HOME)$(B)",
        "$(A)",
        "$(mktemp -d)",
        "a$",
        "$(A",
        "$/root-$(LATER)-$(HOME)",
      ],
      env: [
        { name: "A", value: "/root-$(LATER)-$(HOME)" },
        {
          name: "LATER",
          value: "{{$.inputs.parameters['int']}} $(HOME) {{$}}/root-$(LATER)-$(HOME)",
        },
      ],
    });
  });

  const x = (name: string): string => `{{$.inputs.parameters['${name}']}}`;
  const elements = [
    { args: [`{"Concat": ["a", "${x("int")}", "b"]}`], wanted: ["a3b"] },
    {
      args: [`{"IfPresent": {"InputName": "int", "Then": ["--n", "${x("int")}"]}}`, "z"],
      wanted: ["--n", "3", "z"],
    },
    { args: ['{"IfPresent": {"InputName": "none", "Then": "--n"}}', "z"], wanted: ["z"] },
    {
      args: ['{"IfPresent": {"InputName": "none", "Then": "--n", "Else": ["no", "n"]}}'],
      wanted: ["no", "n"],
    },
    { args: ['{"IfPresent": {"InputName": "data", "Then": "d", "Else": "-"}}'], wanted: ["d"] },
    { args: ['{"IfPresent": {"InputName": "empty", "Then": "d", "Else": "-"}}'], wanted: ["-"] },
    { args: ['{"IfPresent": {"InputName": "toString", "Then": "d", "Else": "-"}}'], wanted: ["-"] },
    {
      args: [
        `{"Concat": ["p-", {"IfPresent": {"InputName": "text", "Then": "${x("text")}"}}, {"Concat": ["!"]}]}`,
      ],
      wanted: ["p-a b!"],
    },
    { args: [`{"Concat": ["${x("sneaky")}"]}`], wanted: ["{{$.inputs.parameters['int']}} $(HOME) {{$}}"] },
  ];
  for (const { args, wanted } of elements) {
    test(`${args[0]} → ${JSON.stringify(wanted)}`, () => {
      expect(resolve({ args }, { environment: { HOME: "/root" } })).toMatchObject({ args: wanted });
    });
  }

  test("resources: texts win over old numbers", () => {
    expect(
      resolve({
        resources: {
          cpuLimit: 2,
          cpuRequest: 0.5,
          memoryLimit: 4,
          resourceMemoryLimit: "{{$.inputs.parameters['int']}}Gi",
          resourceCpuRequest: "",
          memoryRequest: 1.5,
          accelerator: { type: "old", count: "2", resourceType: "nvidia.com/gpu" },
        },
      }),
    ).toMatchObject({
      resources: {
        cpuLimit: "2",
        cpuRequest: "0.5",
        memoryLimit: "3Gi",
        memoryRequest: "1.5G",
        accelerator: { type: "nvidia.com/gpu", count: "2" },
      },
    });
  });

  const accelerator = (type: string, count: string) => ({ accelerator: { type, count } });
  test.each<readonly [resources: PartialMessage<PipelineContainerSpec>["resources"], wanted: object]>([
    [undefined, {}],
    [{}, {}],
    [{ cpuLimit: 0, cpuRequest: -1, memoryLimit: 0, memoryRequest: -0.5 }, {}],
    [
      { cpuLimit: 0.1, memoryLimit: 0.1 },
      { cpuLimit: "0.1", memoryLimit: "0.1G" },
    ],
    [
      { cpuRequest: 2, memoryRequest: 2 },
      { cpuRequest: "2", memoryRequest: "2G" },
    ],
    [
      {
        resourceCpuLimit: "1",
        resourceCpuRequest: "2",
        resourceMemoryLimit: "3",
        resourceMemoryRequest: "4",
      },
      { cpuLimit: "1", cpuRequest: "2", memoryLimit: "3", memoryRequest: "4" },
    ],
    [
      { resourceCpuLimit: "1", cpuLimit: 9, resourceMemoryRequest: "4", memoryRequest: 9 },
      { cpuLimit: "1", memoryRequest: "4" },
    ],
    [{ accelerator: {} }, {}],
    [{ accelerator: { count: "2", resourceCount: "3" } }, {}],
    [{ accelerator: { type: "a" } }, accelerator("a", "0")],
    [{ accelerator: { type: "a", count: "2" } }, accelerator("a", "2")],
    [{ accelerator: { resourceType: "b" } }, accelerator("b", "0")],
    [
      { accelerator: { type: "a", resourceType: "b", count: "2", resourceCount: "3" } },
      accelerator("b", "3"),
    ],
    [
      {
        accelerator: {
          type: "g{{$.inputs.parameters['int']}}",
          resourceCount: "{{$.inputs.parameters['int']}}",
        },
      },
      accelerator("g3", "3"),
    ],
    [{ resourceCpuLimit: "{{$.inputs.parameters['none']}}" }, {}],
  ])("resources %j are %j", (resources, wanted) => {
    const result = resolve(resources === undefined ? {} : { resources });
    expect(result).toEqual({ image: "", command: [], args: [], env: [], resources: wanted });
  });

  test("every field of the resources is named in its problem", () => {
    const missing = x("nope");
    const names = ["resourceCpuLimit", "resourceCpuRequest", "resourceMemoryLimit", "resourceMemoryRequest"];
    const both = { resourceType: missing, resourceCount: missing };
    expect(
      resolve({
        resources: { ...Object.fromEntries(names.map((name) => [name, missing])), accelerator: both },
      }),
    ).toEqual(
      [...names, "accelerator/resourceType", "accelerator/resourceCount"].map(
        (name) => `/resources/${name}: there is no input parameter nope`,
      ),
    );
  });

  test("a placeholder that stays is not looked into, whatever stands beside it", () => {
    const stays = ["{{$.inputs.parameters['$(A)']}}", "{{$.inputs.parameters['a$$b']}}"];
    const environment = { A: "1" };
    expect(
      resolve({ args: stays.map((text) => `$(A)${text}$$(A)`) }, { unresolved: "keep", environment }),
    ).toMatchObject({ args: stays.map((text) => `1${text}$(A)`) });
  });

  test("every problem has a field and a place", () => {
    const missing = x("nope");
    const result = resolveContainer(
      PipelineContainerSpec.create({
        image: missing,
        command: [`{"Concat": ["a", "${missing}"]}`, '{"Concat": 1}'],
        args: [`x${missing}`],
        env: [{ name: "A", value: missing }],
        resources: { resourceCpuLimit: missing, accelerator: { resourceType: missing } },
      }),
      context,
    );
    expect(!result.ok && result.problems.map(({ path, span }) => [path, span.start])).toEqual([
      ["/env/0/value", 0],
      ["/image", 0],
      ["/command/0", 18],
      ["/command/1", 11],
      ["/args/0", 1],
      ["/resources/resourceCpuLimit", 0],
      ["/resources/accelerator/resourceType", 0],
    ]);
  });

  test("all texts of a custom job", () => {
    const job = { a: [{ "b/c": "{{$.inputs.parameters['int']}}" }, 1, null], __proto__: null };
    expect(resolveCustomJob(job, context)).toEqual({ ok: true, customJob: { a: [{ "b/c": "3" }, 1, null] } });
    expect(resolveCustomJob({ a: [{ "b/c": x("nope") }] }, context)).toMatchObject({
      ok: false,
      problems: [{ path: "/a/0/b~1c" }],
    });
  });
});

test("what is inserted is never expanded, whatever it is", () => {
  const tricky = fc.array(
    fc.constantFrom(
      "{{$",
      "}}",
      ".inputs.parameters['a']",
      "$(",
      "A)",
      "$$",
      "{{$}}",
      "x",
      '{"Concat": ["',
      '"]}',
    ),
  );
  fc.assert(
    fc.property(tricky, tricky, (a, b) => {
      const values = { a: a.join(""), b: b.join("") };
      const result = resolveContainer(
        PipelineContainerSpec.create({
          args: ["<{{$.inputs.parameters['a']}}|{{$.inputs.parameters['b']}}>"],
        }),
        {
          executorInput: ExecutorInput.create({ inputs: { parameterValues: values } }),
          environment: { A: "!" },
        },
      );
      expect(result.ok && result.container.args).toEqual([`<${values.a}|${values.b}>`]);
    }),
    { seed: 5, numRuns: 1_000 },
  );
});
