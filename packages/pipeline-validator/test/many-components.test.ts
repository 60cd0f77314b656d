import { describe, expect, test } from "vitest";
import { validatePipeline } from "../src/index.js";

// Components that run the same executor are asked about the names in its texts, of many once for each question.

const constant = "{runtimeValue: {constant: x}}";

/** So many components of one executor, of which the last lacks an input. Of two tasks of the first, one supplies what no component declares. */
const pipelineOf = (components: number, args: readonly string[]) => {
  const numbers = Array.from({ length: components }, (_, i) => i);
  const task = (name: string, component: number, inputs: string) =>
    `      ${name}: {taskInfo: {name: ${name}}, componentRef: {name: comp-${component}}, inputs: {parameters: {${inputs}}}}`;
  const supplied = `helper: ${constant}, said: ${constant}`;
  return `
pipelineInfo: {name: many}
schemaVersion: 2.1.0
sdkVersion: kfp-2.7.0
root:
  dag:
    tasks:
${numbers.map((n) => task(`t${n}`, n, supplied)).join("\n")}
${task("bare", 0, `said: ${constant}`)}
components:
${numbers
  .map(
    (n) =>
      `  comp-${n}: {executorLabel: exec-all, inputDefinitions: {parameters: {said: {parameterType: STRING}${n + 1 < components ? ", early: {parameterType: STRING, defaultValue: x}" : ""}}}, outputDefinitions: {artifacts: {made: {artifactType: {schemaTitle: system.Dataset}}}}}`,
  )
  .join("\n")}
deploymentSpec: {executors: {exec-all: {container: {image: "busybox:1", command: [date], args: ${JSON.stringify(args)}}}}}
`;
};

/** What is found in each of the arguments. */
function foundIn(components: number, args: readonly string[]): readonly (readonly string[])[] {
  const { problems } = validatePipeline(pipelineOf(components, args));
  return args.map((_, i) =>
    problems
      .filter(({ path }) => path === `/deploymentSpec/executors/exec-all/container/args/${i}`)
      .map(({ code, message }) => `${code}: ${message}`),
  );
}

const helper = "{{$.inputs.parameters['helper']}}";
const unknown = (what: string) => [`placeholder-unknown: ${what}`];
const left = (what: string) => [`placeholder-left-as-text: ${what}`];
const texts: readonly (readonly [text: string, found: readonly string[]])[] = [
  [helper, unknown('task "bare" does not supply "helper", which the component does not declare')],
  [JSON.stringify({ IfPresent: { InputName: "helper", Then: [helper] } }), []],
  ["{{$.inputs.artifacts['helper'].uri}}", unknown('component "comp-0" has no input artifact "helper"')],
  [
    "{{$.outputs.parameters['helper'].output_file}}",
    unknown('component "comp-0" has no output parameter "helper"'),
  ],
  ["{{$.outputs.artifacts['helper'].uri}}", unknown('component "comp-0" has no output artifact "helper"')],
  ["{{$.inputs.parameters['said']}}", []],
  ["{{$.inputs.artifacts['said'].uri}}", unknown('component "comp-0" has no input artifact "said"')],
  ["{{$.outputs.artifacts['made'].uri}}", []],
  [
    "{{$.outputs.parameters['made'].output_file}}",
    unknown('component "comp-0" has no output parameter "made"'),
  ],
  [
    `say\n${helper} {{$.outputs.artifacts['made'].uri}}`,
    left('task "bare" does not supply "helper", which the component does not declare'),
  ],
  [
    "say\n{{$.outputs.parameters['helper'].output_file}}",
    left('component "comp-0" has no output parameter "helper"'),
  ],
];

/** Two executors of so many components each, whose inputs of the same name differ. */
const twoOf = (components: number) => {
  const input = (name: string, type: string, rest = "") => `${name}: {parameterType: ${type}${rest}}`;
  const sides = {
    a: [
      input("size", "NUMBER_INTEGER"),
      input("image", "STRING"),
      input("maybe", "STRING", ", isOptional: true"),
    ],
    b: [
      input("size", "STRING"),
      input("image", "BOOLEAN"),
      input("maybe", "STRING"),
      input("more", "STRING"),
    ],
  };
  const names = Object.entries(sides).flatMap(([side, inputs]) =>
    Array.from({ length: components }, (_, n) => ({ side, inputs, name: `${side}${n}` })),
  );
  const given = {
    a: `size: {runtimeValue: {constant: 1}}, image: ${constant}`,
    b: `size: ${constant}, image: {runtimeValue: {constant: true}}, maybe: ${constant}, more: ${constant}`,
  };
  const container = `{image: "{{$.inputs.parameters['image']}}", command: [date], args: ["{{$.inputs.parameters['maybe']}}", "{{$.inputs.parameters['more']}}"], resources: {resourceCpuLimit: "{{$.inputs.parameters['size']}}"}}`;
  return `
pipelineInfo: {name: many}
schemaVersion: 2.1.0
sdkVersion: kfp-2.7.0
root:
  dag:
    tasks:
${names.map(({ name, side }) => `      ${name}: {taskInfo: {name: ${name}}, componentRef: {name: comp-${name}}, inputs: {parameters: {${given[side as "a" | "b"]}}}}`).join("\n")}
components:
${names.map(({ name, side, inputs }) => `  comp-${name}: {executorLabel: exec-${side}, inputDefinitions: {parameters: {${inputs.join(", ")}}}}`).join("\n")}
deploymentSpec: {executors: {exec-a: {container: ${container}}, exec-b: {container: ${container}}}}
`;
};

describe.each([1, 2, 3, 4])("with %i components of one executor", (components) => {
  test("a text has the same findings, whichever others stand before it", () => {
    for (let i = 0; i < texts.length; i++) {
      const turned = [...texts.slice(i), ...texts.slice(0, i)];
      expect(
        foundIn(
          components,
          turned.map(([text]) => text),
        ),
      ).toEqual(turned.map(([, found]) => found));
    }
  });

  test("what only the last of them lacks is found each time", () => {
    const early = "{{$.inputs.parameters['early']}}";
    const lacks = unknown(`component "comp-${components - 1}" has no input parameter "early"`);
    expect(foundIn(components, [early, helper, early])).toEqual([lacks, texts[0]?.[1], lacks]);
  });

  test("inputs of the same name are those of the executor in whose texts they stand", () => {
    const { problems } = validatePipeline(twoOf(components));
    const executors = "/deploymentSpec/executors/exec-";
    const found = problems.flatMap(({ code, path }) =>
      path.startsWith(executors) ? `${code} at ${path.slice(executors.length)}` : [],
    );
    expect(found.toSorted()).toEqual([
      "optional-parameter-unguarded at a/container/args/0",
      "placeholder-not-text at a/container/resources/resourceCpuLimit",
      "placeholder-not-text at b/container/image",
      "placeholder-unknown at a/container/args/1",
    ]);
  });
});
