import { describe, expect, test } from "vitest";
import { validatePipeline } from "../src/index.js";
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
