import { locate, parsePipeline } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { type ArgoOptions, type ArgoResult, toArgoWorkflow } from "../src/index.js";

const spec = {
  pipelineInfo: { name: "hello" },
  root: { dag: { tasks: { greet: { componentRef: { name: "comp-greet" } } } } },
  components: { "comp-greet": { executorLabel: "exec-greet" } },
  deploymentSpec: { executors: { "exec-greet": { container: { image: "python" } } } },
};

function compiled(kubernetes: object, options: ArgoOptions = {}): ArgoResult {
  const text = JSON.stringify({ pipelineSpec: spec, platformSpec: { platforms: { kubernetes } } });
  const parsed = parsePipeline(text);
  return toArgoWorkflow(parsed.ok ? parsed.pipeline : expect.unreachable(), options);
}

const workspace = (size: string, pvcSpecPatch: object = { accessModes: ["ReadWriteOnce"] }) => ({
  pipelineConfig: { workspace: { size, kubernetes: { pvcSpecPatch } } },
});

/** The size that the claim asks for. */
function claimed(size: string): unknown {
  const result = compiled(workspace(size));
  const [claim] = (result.ok && result.workflow.spec.volumeClaimTemplates) || [];
  return claim === undefined ? undefined : JSON.parse(JSON.stringify(claim)).spec.resources.requests.storage;
}

// What Kubernetes prints of a quantity that it has read.
const sizes: readonly (readonly [size: string, printed: string | undefined])[] = [
  ["5Gi", "5Gi"],
  ["8Gi", "8Gi"],
  ["2048Mi", "2Gi"],
  ["1024Ki", "1Mi"],
  ["0.5Gi", "512Mi"],
  ["0.1Gi", "107374182400m"],
  ["1000000", "1M"],
  ["0.5", "500m"],
  ["1000Ki", "1000Ki"],
  ["1e3", "1e3"],
  ["123456789012345.678", "123456789012345.678"],
  ["1234567890123456.789", "1234567890123456789m"],
  ["0", "0"],
  ["+1Gi", "+1Gi"],
  ["10 Gi", undefined],
  ["ten", undefined],
  ["", undefined],
  [".", undefined],
  ["1e", undefined],
  ["-1Gi", undefined],
  ["9".repeat(100_000), undefined],
];

describe("the size of a workspace", () => {
  test.each(sizes)("%s", (size, printed) => expect(claimed(size)).toBe(printed));
});

describe("a workspace", () => {
  test("has all its mistakes told at once", () => {
    const patch = { storageClassName: "", volumeName: "x", accessModes: "one" };
    const { problems } = compiled(workspace("ten", patch));
    expect(problems.map(({ code, path }) => `${code} ${path.replace(/.*\/workspace/, "")}`)).toEqual([
      "workspace-patch /kubernetes/pvcSpecPatch/volumeName",
      "workspace-access-modes /kubernetes/pvcSpecPatch/accessModes",
      "workspace-storage-class /kubernetes/pvcSpecPatch/storageClassName",
      "workspace-size /size",
    ]);
    for (const { range } of problems) expect(range).toBeDefined();
  });

  test("with a storage class of another type is refused", () => {
    const { problems } = compiled(workspace("1Gi", { accessModes: ["ReadWriteOnce"], storageClassName: 5 }));
    expect(problems).toMatchObject([
      { code: "workspace-storage-class", message: "storageClassName is a text, not the number 5" },
    ]);
  });
});

const patches: readonly (readonly [
  name: string,
  patch: NonNullable<ArgoOptions["specPatch"]>,
  message: string,
])[] = [
  [
    "adds a template",
    { templates: [{ name: "extra", container: { image: "x" } }] },
    'at /templates/0: there is none with the name "extra"',
  ],
  [
    "names no template",
    { templates: [{ container: { image: "x" } }] },
    "at /templates/0: the items of templates have a name",
  ],
  ["has an item that is none", { volumes: ["x"] }, "at /volumes/0: the back end takes an object there"],
  [
    "deletes",
    { templates: [{ name: "root", $patch: "delete" }] },
    "at /templates/0/$patch: the back end does not keep to",
  ],
  ["gives a text a number", { entrypoint: 5 }, "at /entrypoint: the back end takes a text there"],
  ["gives a number a text", { parallelism: "2" }, "at /parallelism: the back end takes a whole number"],
  ["gives an object a text", { arguments: "x" }, "at /arguments: the back end takes an object there"],
  [
    "gives texts by name others",
    { nodeSelector: { a: 1 } },
    "at /nodeSelector/a: the back end takes a text there",
  ],
  ["gives a switch a text", { hostNetwork: "yes" }, "at /hostNetwork: the back end takes true or false"],
  [
    "changes the resources of a driver",
    { templates: [{ name: "system-dag-driver", container: { resources: {} } }] },
    "at /templates/0/container/resources: in the back end",
  ],
];

describe("a patch", () => {
  test.each(patches)("that %s is refused", (_, specPatch, message) => {
    const result = compiled({}, { specPatch });
    expect(result.problems).toMatchObject([
      { code: "invalid-spec-patch", message: expect.stringContaining(message) },
    ]);
    expect(result.ok).toBe(false);
  });

  test.each([
    ["/nodeSelectr", { nodeSelectr: { a: "b" } }, "nodeSelector"],
    [
      "/ttlStrategy/secondsAfterCompleted",
      { ttlStrategy: { secondsAfterCompleted: 5 } },
      "secondsAfterCompletion",
    ],
    [
      "/templates/0/container/imagee",
      { templates: [{ name: "system-dag-driver", container: { imagee: "x" } }] },
      "image",
    ],
  ])("of a field that there is not has no effect, and is told: %s", (at, specPatch, meant) => {
    const result = compiled({}, { specPatch });
    expect(result).toMatchObject({
      ok: true,
      problems: [
        {
          code: "unknown-patch-field",
          severity: "warning",
          message: `specPatch, at ${at}: there is no such field there, and the back end leaves it out; did you mean "${meant}"?`,
        },
      ],
    });
    const name = at.split("/").at(-1);
    expect(JSON.stringify(result)).not.toContain(`"${name}":`);
  });

  test.each([
    ["/serviceaccountname", { serviceaccountname: "x" }, "serviceAccountName"],
    [
      "/ttlStrategy/SecondsAfterCompletion",
      { ttlStrategy: { SecondsAfterCompletion: 5 } },
      "secondsAfterCompletion",
    ],
  ])("in other capitals is refused: %s", (at, specPatch, written) => {
    expect(compiled({}, { specPatch }).problems).toMatchObject([
      {
        code: "invalid-spec-patch",
        message: expect.stringContaining(`at ${at}: the field is written ${written}`),
      },
    ]);
  });

  test("changes what it names and nothing else, and is not changed", () => {
    const specPatch = {
      templates: [
        { name: "system-dag-driver", container: { image: "driver:3", env: [{ name: "A", value: "b" }] } },
      ],
      hostNetwork: true,
      nodeSelector: { a: "b" },
      tolerations: [{ key: "k", effect: "NoExecute", tolerationSeconds: 5 }],
    };
    const before = structuredClone(specPatch);
    const plain = compiled({});
    const result = compiled({}, { specPatch });
    if (!plain.ok || !result.ok) expect.unreachable();
    const { templates = [], ...others } = plain.workflow.spec;
    const { hostNetwork, nodeSelector, tolerations } = specPatch;
    expect(result.workflow.spec).toEqual({
      ...others,
      ...{ hostNetwork, nodeSelector, tolerations },
      templates: templates.map((template) =>
        template.name === "system-dag-driver"
          ? { ...template, container: { ...template.container, ...specPatch.templates[0]?.container } }
          : template,
      ),
    });
    expect(specPatch).toEqual(before);
  });
});

test("templates share nothing, also those of two workflows: whoever changes one changes no other", () => {
  const of = () => compiled(workspace("1Gi"), { driverPodLabels: { a: "b" }, driverCommand: ["driver"] });
  const seen = new Set<unknown>();
  const twice: unknown[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    if (seen.has(value)) twice.push(value);
    seen.add(value);
    for (const member of Object.values(value)) visit(member);
  };
  for (const result of [of(), of()]) visit(result.ok && result.workflow);
  expect(seen.size).toBeGreaterThan(100);
  expect(twice).toEqual([]);
});

test("in a file with both parts each problem has its place in one of them", () => {
  const kubernetes = {
    pipelineConfig: { activeDeadlineSeconds: -1 },
    deploymentSpec: { executors: { "exec-greet": { podMetadata: { labels: { a: "x y" } } } } },
  };
  const named = { ...spec, pipelineInfo: { name: "A B" } };
  const text = JSON.stringify({ pipelineSpec: named, platformSpec: { platforms: { kubernetes } } });
  const parsed = parsePipeline(text);
  const pipeline = parsed.ok ? parsed.pipeline : expect.unreachable();
  const paths = [
    "/platformSpec/platforms/kubernetes/deploymentSpec/executors/exec-greet/podMetadata/labels/a",
    "/pipelineSpec/pipelineInfo/name",
    "/platformSpec/platforms/kubernetes/pipelineConfig/activeDeadlineSeconds",
  ];
  const { problems } = toArgoWorkflow(pipeline);
  expect(problems.map(({ path, range }) => [path, range])).toEqual(
    paths.map((path) => [path, locate(pipeline, path, "value")]),
  );
});
