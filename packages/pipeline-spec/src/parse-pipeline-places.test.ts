import { describe, expect, test } from "vitest";
import { marked, offsetsOf, withMarks } from "../test/marked-text.js";
import { parsePipeline } from "./index.js";

/** One problem in one text, at the marked place. */
interface PlacedCase {
  readonly name: string;
  readonly text: string;
  readonly code: string;
  readonly path: string;
  readonly hint?: string;
}

const placed: readonly PlacedCase[] = [
  {
    name: "a key in block style",
    text: "root:\n  dag:\n    «tsks»: {}\n",
    code: "unknown-field",
    path: "/root/dag/tsks",
    hint: 'did you mean "tasks"?',
  },
  {
    name: "a key in flow style",
    text: "root: {dag: {«tsks»: {}}}\n",
    code: "unknown-field",
    path: "/root/dag/tsks",
  },
  {
    name: "a key in JSON",
    text: '{"root": {"dag": {\n  «"tsks"»: {}}}}',
    code: "unknown-field",
    path: "/root/dag/tsks",
  },
  {
    name: "a key in quotes",
    text: "root:\n  'dag':\n    «\"tsks\"»: {}\n",
    code: "unknown-field",
    path: "/root/dag/tsks",
  },
  {
    name: "a key after a question mark",
    text: "root:\n  ? «dagg»\n  : {}\n",
    code: "unknown-field",
    path: "/root/dagg",
  },
  {
    name: "a value in block style",
    text: "pipelineInfo:\n  name: «3»\n",
    code: "wrong-type",
    path: "/pipelineInfo/name",
    hint: "put it in quotes",
  },
  {
    name: "a value in flow style",
    text: "pipelineInfo: {name: «[a, b]»}",
    code: "wrong-type",
    path: "/pipelineInfo/name",
  },
  {
    name: "a value in JSON",
    text: '{"pipelineInfo": {"name":  «{ "a": "}" }» }}',
    code: "wrong-type",
    path: "/pipelineInfo/name",
  },
  {
    name: "a number in JSON",
    text: '{"pipelineInfo": {"name":\t«-1.5e3»}}',
    code: "wrong-type",
    path: "/pipelineInfo/name",
  },
  {
    name: "a text of several lines",
    text: "root:\n  inputDefinitions:\n    parameters:\n      a:\n        isOptional: «|\n          yes\n          no»\nsdkVersion: x\n",
    code: "wrong-type",
    path: "/root/inputDefinitions/parameters/a/isOptional",
  },
  {
    name: "a folded text",
    text: "root:\n  dag:\n    outputs: «>-\n      a\n      b»\n",
    code: "wrong-type",
    path: "/root/dag/outputs",
  },
  {
    name: "a text in quotes over several lines",
    text: 'root:\n  dag: «"a\n    b"»\n',
    code: "wrong-type",
    path: "/root/dag",
  },
  {
    name: "a map in block style",
    text: "pipelineInfo:\n  name:\n    «a: 1\n    b: 2»\n  description: x\n",
    code: "wrong-type",
    path: "/pipelineInfo/name",
  },
  {
    name: "an item of a list",
    text: "root:\n  dag:\n    tasks:\n      a:\n        dependentTasks:\n        - b\n        - «7»\n",
    code: "wrong-type",
    path: "/root/dag/tasks/a/dependentTasks/1",
  },
  {
    name: "an item of a list in JSON",
    text: '{"root":{"dag":{"tasks":{"a":{"dependentTasks":["b,]", «7»]}}}}}',
    code: "wrong-type",
    path: "/root/dag/tasks/a/dependentTasks/1",
  },
  {
    name: "what stands at an anchor",
    text: "root:\n  dag:\n    tasks:\n      a: &task\n        componentRef: {«nam»: x}\n",
    code: "unknown-field",
    path: "/root/dag/tasks/a/componentRef/nam",
  },
  { name: "an alias", text: "sdkVersion: &v x\nroot: «*v»\n", code: "wrong-type", path: "/root" },
  {
    name: "a key that is an alias",
    text: "sdkVersion: &k nope\nroot:\n  «*k» : 1\n",
    code: "unknown-field",
    path: "/root/nope",
  },
  {
    name: "a merged key, at its origin",
    text: "root:\n  inputDefinitions:\n    parameters:\n      a: {<<: {«nope»: 1}}\n",
    code: "unknown-field",
    path: "/root/inputDefinitions/parameters/a/nope",
  },
  {
    name: "a key behind characters of two code units",
    text: "root: {dag: {tasks: {😀😀: {«nope»: 1}}}}\n",
    code: "unknown-field",
    path: "/root/dag/tasks/😀😀/nope",
  },
  {
    name: "a key in lines that end in CRLF",
    text: "root:\r\n  dag:\r\n    «tsks»: {}\r\n",
    code: "unknown-field",
    path: "/root/dag/tsks",
  },
  {
    name: "a key after comments and empty lines",
    text: "# a\n\n# b\nroot:\n  # c\n  «dagg»: {} # d\n",
    code: "unknown-field",
    path: "/root/dagg",
  },
  {
    name: "a key with slashes and tildes",
    text: "components:\n  a/b~c:\n    «nope»: 1\n",
    code: "unknown-field",
    path: "/components/a~1b~0c/nope",
  },
  {
    name: "a key called __proto__",
    text: '{"root": {«"__proto__"»: {}}}',
    code: "unknown-field",
    path: "/root/__proto__",
  },
  {
    name: "a field in both spellings",
    text: "pipelineInfo: {name: a}\n«pipeline_info»: {name: a}\n",
    code: "duplicate-field",
    path: "/pipeline_info",
  },
  {
    name: "a second member of a oneof",
    text: "root:\n  executorLabel: a\n  «dag»: {}\n",
    code: "oneof-conflict",
    path: "/root/dag",
  },
  {
    name: "a value without anything",
    text: "root:\n  dag:\n    tasks:\n      «a»:\n",
    code: "unexpected-null",
    path: "/root/dag/tasks/a",
  },
  {
    name: "an enum name",
    text: "root:\n  inputDefinitions:\n    parameters:\n      a: {parameterType: «STRNG»}\n",
    code: "unknown-enum-value",
    path: "/root/inputDefinitions/parameters/a/parameterType",
    hint: 'did you mean "STRING"?',
  },
  {
    name: "an executor in the deploymentSpec",
    text: "deploymentSpec:\n  executors:\n    e:\n      container:\n        image: «[]»\n",
    code: "wrong-type",
    path: "/deploymentSpec/executors/e/container/image",
  },
  {
    name: "an executor in JSON",
    text: '{"deployment_spec":{"executors":{"e":{"container":{"env":[{"name":«1»}]}}}}}',
    code: "wrong-type",
    path: "/deployment_spec/executors/e/container/env/0/name",
  },
  {
    name: "a field of the pipelineSpec of a job",
    text: "displayName: j\npipelineSpec:\n  root:\n    «dagg»: {}\n",
    code: "unknown-field",
    path: "/pipelineSpec/root/dagg",
  },
  {
    name: "an executor of a job",
    text: '{"pipelineSpec":{"deploymentSpec":{"executors":{"e":«3»}}}}',
    code: "wrong-type",
    path: "/pipelineSpec/deploymentSpec/executors/e",
  },
  {
    name: "a field of a job",
    text: "pipelineSpec: {}\n«labls»: {}\n",
    code: "unknown-field",
    path: "/labls",
    hint: 'did you mean "labels"?',
  },
  {
    name: "the second document",
    text: "root: {}\n---\nplatforms:\n  kubernetes:\n    «deploymentSpecs»: {}\n",
    code: "unknown-field",
    path: "/platforms/kubernetes/deploymentSpecs",
  },
  {
    name: "a misspelt second document",
    text: "root: {}\n---\n«platform»: {}\n",
    code: "unknown-field",
    path: "/platform",
    hint: 'did you mean "platforms"?',
  },
  {
    name: "a key that is here twice",
    text: "root: {}\nsdkVersion: a\n«root»: {}\n",
    code: "duplicate-key",
    path: "/root",
  },
  {
    name: "a key that is here twice in JSON",
    text: '{"root": {"dag": {"tasks": {"a": {}, "b": {}, «"a"»: {}}}}}',
    code: "duplicate-key",
    path: "/root/dag/tasks/a",
  },
  {
    name: "a key that is a number",
    text: "components:\n  «1»: {}\n",
    code: "key-not-text",
    path: "/components",
    hint: 'put it in quotes: "1"',
  },
  {
    name: "a key that is a list",
    text: "components:\n  ? «[a]»\n  : {}\n",
    code: "key-not-text",
    path: "/components",
  },
  { name: "an alias without an anchor", text: "root: «*nope»\n", code: "invalid-alias", path: "/root" },
  {
    name: "an alias of what it is in",
    text: "root: &r\n  dag: «*r»\n",
    code: "invalid-alias",
    path: "/root/dag",
  },
  {
    name: "an alias before its anchor",
    text: "sdkVersion: «*v»\nschemaVersion: &v x\n",
    code: "invalid-alias",
    path: "/sdkVersion",
  },
  {
    name: "an alias in the second anchor of its name",
    text: "sdkVersion: &v x\nroot: &v {dag: «*v»}\n",
    code: "invalid-alias",
    path: "/root/dag",
  },
  {
    name: "a block that ends with CR LF",
    text: "sdkVersion: &v x\r\nroot: «|\r\n  a»\r\n\r\nschemaVersion: *v\r\n",
    code: "wrong-type",
    path: "/root",
  },
  {
    name: "a tag that JSON does not have",
    text: "sdkVersion: !!binary «AQ==»\n",
    code: "unsupported-tag",
    path: "/sdkVersion",
    hint: "remove the tag",
  },
  {
    name: "a tag of someone's own",
    text: "root: !mine «{dag: {}}»\n",
    code: "unsupported-tag",
    path: "/root",
  },
  { name: "a merge of text", text: "root:\n  <<: «text»\n", code: "invalid-merge", path: "/root" },
  {
    name: "a platform specification alone",
    text: "# a\n«»platforms: {}\n",
    code: "no-specification",
    path: "",
  },
  {
    name: "a duration",
    text: "root: {dag: {tasks: {a: {retryPolicy: {backoffDuration: «30»}}}}}",
    code: "invalid-duration",
    path: "/root/dag/tasks/a/retryPolicy/backoffDuration",
    hint: 'write "30s"',
  },
  {
    name: "an infinite number",
    text: "root: {dag: {tasks: {a: {retryPolicy: {backoffFactor: «.inf»}}}}}",
    code: "out-of-range",
    path: "/root/dag/tasks/a/retryPolicy/backoffFactor",
  },
];

describe("places a problem at", () => {
  for (const { name, text, code, path, hint } of placed) {
    test(name, () => {
      const place = marked(text);
      const errors = parsePipeline(place.text).problems.filter(({ severity }) => severity === "error");
      expect(errors.map((problem) => [problem.code, problem.path])).toEqual([[code, path]]);
      const [problem] = errors;
      expect(withMarks(place.text, problem?.range)).toBe(text);
      expect(problem?.range && offsetsOf(place.text, problem.range)).toEqual([place.start, place.end]);
      expect(problem?.hint ?? "").toContain(hint ?? "");
    });
  }
});

describe("warns, and goes on, at", () => {
  const warnings: readonly [name: string, text: string, code: string, severity?: string][] = [
    [
      "a deprecated field",
      "pipelineSpec: {}\nruntimeConfig:\n  «parameters»: {a: {intValue: 1}}\n",
      "deprecated-field",
      "info",
    ],
    [
      "an unknown field of an executor, which the back end drops",
      "deploymentSpec: {executors: {e: {container: {«imge»: x}}}}\n",
      "unknown-field",
    ],
    ["a scalar that the SDK reads otherwise", "sdkVersion: «on»\n", "ambiguous-scalar"],
    ["a time", "sdkVersion: «2001-01-01»\n", "ambiguous-scalar"],
    ["a platform specification that comes first", "«»platforms: {}\n---\nroot: {}\n", "document-order"],
  ];
  for (const [name, text, code, severity = "warning"] of warnings) {
    test(name, () => {
      const place = marked(text);
      const result = parsePipeline(place.text);
      expect(result.ok).toBe(true);
      expect(result.problems.map((problem) => [problem.code, problem.severity])).toEqual([[code, severity]]);
      expect(withMarks(place.text, result.problems[0]?.range)).toBe(text);
    });
  }
});
