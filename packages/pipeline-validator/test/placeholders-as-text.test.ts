import { describe, expect, test } from "vitest";
import { type ValidateOptions, validatePipeline } from "../src/index.js";
import { exampleText } from "./example-text.js";

function found(patch: string, options?: ValidateOptions): readonly string[] {
  const { problems } = validatePipeline(exampleText("patch", patch), options);
  return problems.map(({ severity, code }) => `${severity} ${code}`);
}

const args = (text: string) =>
  `deploymentSpec: {executors: {exec-report: {container: {args: ${JSON.stringify([text])}}}}}`;
const image = (text: string) =>
  `deploymentSpec: {executors: {exec-report: {container: {image: ${JSON.stringify(text)}}}}}`;
const constant = (text: string) =>
  `root: {dag: {tasks: {train: {inputs: {parameters: {label: {taskOutputParameter: null, runtimeValue: {constant: ${JSON.stringify(text)}}}}}}}}}`;

describe("what is no placeholder", () => {
  const forms = ["{{$.inputs}}", "{{$.input.parameters['message']}}", "{{$.inputs.parameters['message']"];
  for (const form of forms) {
    test(`may stay as it is in a program and in a constant: ${form}`, () => {
      expect(found(args(`def main():\n  print("""${form}""")`))).toEqual([
        "warning placeholder-left-as-text",
      ]);
      expect(found(constant(form))).toEqual(["warning placeholder-left-as-text"]);
    });
    test(`is a mistake in an argument, an image, and by the document: ${form}`, () => {
      expect(found(args(`--message=${form}`))).toEqual(["error placeholder-invalid"]);
      expect(validatePipeline(exampleText("patch", image(form))).ok).toBe(false);
      const strictly = found(args(`def main():\n  print("""${form}""")`), { profile: "spec" });
      expect(strictly).toEqual(["error placeholder-invalid"]);
    });
  }
});

test("an unknown name is a mistake where it is filled in, and stays as it is in a constant", () => {
  const form = "{{$.inputs.parameters['mesage']}}";
  expect(found(args(`def main():\n  print("""${form}""")`))).toEqual(["error placeholder-unknown"]);
  expect(found(constant(form))).toEqual(["warning placeholder-left-as-text"]);
  expect(found(constant(form), { profile: "spec" })).toEqual(["error placeholder-unknown"]);
});

describe("an unknown name that is left as it is", () => {
  const program = (...names: readonly string[]) => args(`def main():\n  print("""${names.join(" ")}""")`);
  const output = "{{$.outputs.parameters['nothing'].output_file}}";
  test("may be meant in a program: an output, and an input beside one", () => {
    expect(found(program(output))).toEqual(["warning placeholder-left-as-text"]);
    expect(found(program(output, "{{$.inputs.parameters['mesage']}}"))).toEqual([
      "warning placeholder-left-as-text",
      "warning placeholder-left-as-text",
    ]);
    expect(found(program(output), { profile: "spec" })).toEqual(["error placeholder-unknown"]);
  });
  test("is a mistake in an argument", () => {
    expect(found(args(`--out=${output}`))).toEqual(["error placeholder-unknown"]);
  });
});

describe("a helper input that only one of two tasks supplies", () => {
  const helper = "{{$.inputs.parameters['helper']}}";
  const two = (executor: string, second: string, declared = "") => `
root:
  dag:
    tasks:
      one: {taskInfo: {name: one}, componentRef: {name: comp-say}, inputs: {parameters: {helper: {runtimeValue: {constant: busybox}}}}}
      two: {taskInfo: {name: two}, componentRef: {name: comp-say}, ${second}}
components: {comp-say: {executorLabel: exec-say, ${declared}}}
deploymentSpec: {executors: {exec-say: {container: {image: busybox, command: [date], ${executor}}}}}
`;
  const same = "inputs: {parameters: {helper: {runtimeValue: {constant: alpine}}}}";
  const places = {
    image: `image: "${helper}"`,
    args: `args: ["${helper}"]`,
    resources: `resources: {resourceCpuLimit: "${helper}"}`,
  };
  for (const [name, place] of Object.entries(places)) {
    test(`is unknown to the other in its ${name}`, () => {
      expect(found(two(place, "inputs: {}"))).toContain("error placeholder-unknown");
      expect(found(two(place, same))).not.toContain("error placeholder-unknown");
    });
  }
  test("may be asked for", () => {
    const guarded = `{"IfPresent": {"InputName": "helper", "Then": ["${helper}"]}}`;
    expect(found(two(`args: [${JSON.stringify(guarded)}]`, "inputs: {}"))).toEqual([]);
  });
  test("is told of when it is declared as optional, and gives the image", () => {
    const declared = "inputDefinitions: {parameters: {helper: {parameterType: STRING, isOptional: true}}}";
    expect(found(two(places.image, "inputs: {}", declared))).toEqual(["error optional-parameter-unguarded"]);
    expect(found(two(places.image, same, declared))).toEqual([]);
  });
});
