import { describe, expect, test } from "vitest";
import { validatePipeline } from "../src/index.js";
import { isUnfilled } from "../src/template-values.js";
import { exampleText } from "./example-text.js";
import { pipeline } from "./human-mistakes.js";

const changed = (...edits: readonly (readonly [before: string, after: string])[]): string =>
  edits.reduce((text, [before, after]) => {
    expect(text).toContain(before);
    return text.replace(before, () => after);
  }, pipeline);

const filled = (text: string) => validatePipeline(text).problems.map(({ code, message }) => [code, message]);

describe("a template that was not filled in is one finding:", () => {
  test("values in quotes, settings and numbers", () => {
    const text = changed(
      ["name: churn", 'name: "{{ .Release.Name }}"'],
      ["image: ghcr.io/acme/load:3", 'image: "{{ .Values.image }}"'],
      ["resourceMemoryLimit: 4Gi", 'resourceMemoryLimit: "{{ .Values.memory }}"'],
      ["maxRetryCount: 2", 'maxRetryCount: "{{ .Values.retries }}"'],
      ["constant: registry", 'constant: "{{ .Values.secret }}"'],
      ["size: 10Gi", "size: '{{ .Values.size }}'"],
    );
    expect(filled(text)).toEqual([
      ["template-not-filled", '"{{ .Release.Name }}" is still to be filled in, as 5 more are'],
    ]);
  });

  test("a part of a value", () => {
    expect(filled(changed(["image: ghcr.io/acme/load:3", `image: ghcr.io/acme/load:\${TAG}`]))).toEqual([
      ["template-not-filled", `"ghcr.io/acme/load:\${TAG}" is still to be filled in`],
    ]);
    expect(
      filled(
        changed(
          ["image: ghcr.io/acme/load:3", "image: ghcr.io/acme/load:<%= tag %>"],
          ["image: ghcr.io/acme/train:3", "image: ghcr.io/acme/train:{{tag}}"],
        ),
      ),
    ).toEqual([
      ["template-not-filled", '"ghcr.io/acme/load:<%= tag %>" is still to be filled in, as 1 more is'],
    ]);
  });

  test.each(["ghcr.io/acme/load:$TAG", "@IMAGE@", "$REGISTRY/load:3"])("an image such as %s", (image) => {
    expect(filled(changed(["image: ghcr.io/acme/load:3", `image: "${image}"`]))).toEqual([
      ["template-not-filled", `"${image}" is still to be filled in`],
    ]);
    const digest = `ghcr.io/acme/load@sha256:${"0".repeat(64)}`;
    expect(filled(changed(["image: ghcr.io/acme/load:3", `image: ${digest}`]))).toEqual([]);
  });

  test("a number alone", () => {
    const { problems, unchecked } = validatePipeline(
      changed(["maxRetryCount: 2", "maxRetryCount: '{{ retries }}'"]),
    );
    expect(problems).toMatchObject([
      {
        code: "template-not-filled",
        message: "this is still to be filled in",
        range: { start: { line: 42 } },
      },
    ]);
    expect(unchecked).toMatchObject([{ reason: "wrong-type" }]);
  });

  test("and nothing else is lost", () => {
    const text = changed(
      ["image: ghcr.io/acme/load:3", `image: \${IMAGE}`],
      ["producerTask: load, outputParameterKey: labels", "producerTask: laod, outputParameterKey: labels"],
    );
    expect(
      filled(text)
        .map(([code]) => code)
        .sort(),
    ).toEqual(["producer-unknown", "template-not-filled"]);
  });

  test("or what is wrong with each value, when nobody wants to be told of templates", () => {
    const text = changed(["image: ghcr.io/acme/load:3", `image: \${IMAGE}`]);
    const { problems } = validatePipeline(text, { rules: { "template-not-filled": "off" } });
    expect(problems.map(({ code }) => code)).toEqual(["image-invalid"]);
  });
});

test("the same signs in commands, constants, annotations and placeholders are meant", () => {
  const text = changed(
    ["command: [load]", `command: [sh, -c, 'echo \${HOME} $(date) {{ x }}']`],
    ["constant: europe", "constant: '{{ region }}'"],
    ["annotations: {owner: churn}", `annotations: {owner: '{{ owner }} \${OWNER}'}`],
    ["image: ghcr.io/acme/train:3", "image: \"{{$.inputs.parameters['device']}}\""],
  );
  expect(filled(text).filter(([code]) => code === "template-not-filled")).toEqual([]);
});

const names = ["inputs", "outputs", "pipeline_", "workspace", "workflow", "tasks", "executor"];
const placeholders = [...names, "currentTime", "scheduledTime"].flatMap((name) => [
  `{{${name}`,
  `{{$.${name}`,
  `{{ .${name}.a }}`,
]);
test.each([...placeholders, "{{$}}", `\${}`, `\${1A}`, "$A", "$()", "$(1a)", "{ {a}}", "< %", "@A@"])(
  "%s is not to be filled in by a template",
  (text) => expect(isUnfilled(text)).toBe(false),
);
test.each([
  "{{a}}",
  "{{ .Values.a }}",
  "{{$a}}",
  "{{input.a}}",
  "<%= a %>",
  "{% if a %}",
  `\${a}`,
  `\${A_1:-b}`,
  "$(A)",
  "$(_a1)",
])("%s is to be filled in by a template", (text) =>
  expect([isUnfilled(text), isUnfilled(`a ${text} b`)]).toEqual([true, true]),
);

const settings = (json: string) =>
  validatePipeline(
    exampleText(
      "patch",
      `{}\n---\nplatforms: {kubernetes: {deploymentSpec: {executors: {exec-report: ${json}}}}}`,
    ),
  ).problems.filter(({ code }) => code === "template-not-filled");

test.each([
  ["annotations", 0],
  ["args", 0],
  ["command", 0],
  ["env", 0],
  ["labels", 1],
  ["image", 1],
  ["envs", 1],
])("in %s of settings a sign of a template counts %d times", (field, count) => {
  expect(settings(`{podMetadata: {${field}: '{{ a }}'}}`)).toHaveLength(count);
  expect(settings(`{podMetadata: {${field}: {a: ['{{ a }}']}}}`)).toHaveLength(count);
});

test("twelve levels deep in settings a value is looked at, and no deeper", () => {
  const nested = (depth: number): string => (depth === 0 ? "'{{ a }}'" : `{a: ${nested(depth - 1)}}`);
  expect(settings(nested(12))).toHaveLength(1);
  expect(settings(nested(13))).toHaveLength(0);
});
