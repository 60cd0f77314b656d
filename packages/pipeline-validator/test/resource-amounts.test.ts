import { expect, test } from "vitest";
import { examplePipeline, validatePipeline } from "../src/index.js";

const found = (image: string, resources: string) =>
  validatePipeline(
    `pipelineInfo: {name: a}
schemaVersion: 2.1.0
root: {dag: {tasks: {t: {taskInfo: {name: t}, componentRef: {name: comp-c}}}}}
components: {comp-c: {executorLabel: e}}
deploymentSpec: {executors: {e: {container: {image: '${image}', command: [b], resources: {${resources}}}}}}
`,
    { parse: { deprecations: false } },
  ).problems.map(({ code, path, message }) => `${code} ${path.split("/").at(-1)}: ${message}`);

const above = (field: string, request: string, limit: string) => [
  `resource-request-above-limit ${field}: the request ${request} is above the limit ${limit}`,
];

// The driver takes the number of old files where there is no text, and memory in gigabytes.
test.each([
  ["cpuLimit: 1, cpuRequest: 2", above("cpuRequest", "2", "1")],
  ["resourceCpuLimit: '1', cpuRequest: 2", above("cpuRequest", "2", "1")],
  ["cpuLimit: 1, resourceCpuRequest: 1500m", above("resourceCpuRequest", "1500m", "1")],
  ["memoryLimit: 1, resourceMemoryRequest: 2Gi", above("resourceMemoryRequest", "2Gi", "1G")],
  ["memoryLimit: 1, memoryRequest: 1.5", above("memoryRequest", "1.5G", "1G")],
  ["cpuLimit: 2, cpuRequest: 2", []],
  ["cpuRequest: 2", []],
  ["cpuLimit: 2", []],
  ["memoryLimit: 0.536870912, resourceMemoryRequest: 512Mi", []],
  ["resourceMemoryLimit: 512Mi, memoryRequest: 0.536870912", []],
])("of %s", (resources, wanted) => expect(found("a:1", resources)).toEqual(wanted));

const hex = (length: number) => "0123456789abcdef".repeat(8).slice(0, length);
const digests: readonly (readonly [digest: string, isFine: boolean])[] = [
  [`sha256:${hex(64)}`, true],
  [`sha384:${hex(96)}`, true],
  [`sha512:${hex(128)}`, true],
  [`sha256:${hex(60)}`, false],
  [`sha256:${hex(65)}`, false],
  [`sha512:${hex(64)}`, false],
  [`md5:${hex(32)}`, false],
];
test.each(digests)("an image with the digest %s", (digest, isFine) => {
  const codes = found(`python@${digest}`, "").map((one) => one.split(" ")[0]);
  expect(codes).toEqual(isFine ? [] : ["image-invalid"]);
});

test.each([
  ["resources: {accelerator: {type: NVIDIA_TESLA_T4, count: 1}}", ["warning accelerator-type-invalid"]],
  ["resources: {accelerator: {type: NVIDIA_TESLA_T4, resourceType: nvidia.com/gpu, count: 1}}", []],
  ["resources: {accelerator: {type: nvidia.com/gpu, count: 1}}", []],
  ["env: [{name: A=B, value: c}]", ["error env-name-refused"]],
  ["env: [{name: Größe, value: c}]", ["error env-name-refused"]],
  ["env: [{name: a b, value: c}]", ["warning env-name-invalid"]],
  ["env: [{name: 1A, value: c}]", ["warning env-name-invalid"]],
])("of a container: %s", (fields, wanted) => {
  const text = `pipelineInfo: {name: a}
schemaVersion: 2.1.0
root: {dag: {tasks: {t: {taskInfo: {name: t}, componentRef: {name: comp-c}}}}}
components: {comp-c: {executorLabel: e}}
deploymentSpec: {executors: {e: {container: {image: 'a:1', command: [b], ${fields}}}}}
`;
  const { problems } = validatePipeline(text, { parse: { deprecations: false } });
  expect(problems.map(({ severity, code }) => `${severity} ${code}`)).toEqual(wanted);
});

const name = (length: number) => "a".repeat(length);
test.each([
  [`${name(255)}:1`, true],
  [`${name(256)}:1`, false],
  [`registry.example:5000/${name(255)}@sha256:${hex(64)}`, true],
  [`registry.example:5000/${name(256)}`, false],
  [`localhost/${name(255)}:1`, true],
  [`team/${name(250)}`, true],
  [`team/${name(251)}`, false],
  [`registry.example/${name(2_000)}:1`, false],
])("a repository has 255 characters at most: %s", (image, isFine) => {
  expect(found(image, "").filter((one) => one.startsWith("image-invalid")).length).toBe(isFine ? 0 : 1);
});

test("storage is not asked for in bytes", () => {
  const found = (text: string) =>
    validatePipeline(text)
      .problems.filter(({ code }) => code === "storage-tiny")
      .map(({ path, hint }) => [path, hint]);
  const volume = (size: string) =>
    `${examplePipeline}---\nplatforms: {kubernetes: {deploymentSpec: {executors: {exec-report: {genericEphemeralVolume: [{volumeName: v, mountPath: /v, size: '${size}', accessModes: [ReadWriteOnce]}]}}}}}\n`;
  const at = "/platforms/kubernetes/deploymentSpec/executors/exec-report/genericEphemeralVolume/0/size";
  expect(found(volume("5"))).toEqual([[at, "write 5Gi"]]);
  expect(found(volume("512m"))).toEqual([[at, "write 512Mi"]]);
  expect(found(volume("1Mi"))).toEqual([]);
});
