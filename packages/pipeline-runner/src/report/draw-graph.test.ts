import { type Pipeline, parsePipeline } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { drawGraph } from "./draw-graph.js";
import { drawRun } from "./draw-run.js";

const of = (component: string, ...dependentTasks: readonly string[]) => ({
  componentRef: { name: component },
  dependentTasks,
});

function pipelineOf(tasks: object, name = "drawn", components: object = {}): Pipeline {
  const parsed = parsePipeline(
    JSON.stringify({
      pipelineInfo: { name },
      root: { dag: { tasks } },
      components: {
        work: { executorLabel: "exec" },
        one: { dag: { tasks: { in: of("work") } } },
        two: { dag: { tasks: { left: of("work"), right: of("work") } } },
        itself: { dag: { tasks: { again: of("itself") } } },
        ...components,
      },
      deploymentSpec: { executors: { exec: { container: { image: "alpine", command: ["true"] } } } },
    }),
  );
  return parsed.ok ? parsed.pipeline : expect.unreachable(parsed.problems[0]?.message ?? "");
}

const draw = (tasks: object, note = "note", style?: string): string =>
  drawGraph(pipelineOf(tasks), () => ({ attributes: {}, sign: "*", note }), style) ?? "";

/** How large the drawing is, and of each box its place in what is around it, and its size. */
function geometryOf(svg: string) {
  const [, viewBox, width, height] = /viewBox="([^"]*)" width="([^"]*)" height="([^"]*)"/.exec(svg) ?? [];
  const box =
    /data-box="([^"]*)" transform="translate\(([^ ]*) ([^)]*)\)"><(?:g|a)[^>]*>(?:<title>[^<]*<\/title>)?<rect class="face" width="([^"]*)" height="([^"]*)"/g;
  const boxes = Array.from(svg.matchAll(box), ([, id, ...numbers]) => [id, ...numbers.map(Number)]);
  return { size: [viewBox, width, height], boxes };
}

describe("the geometry of a graph", () => {
  test.each<[string, object, string, readonly (readonly [string, number, number, number, number])[]]>([
    ["of one task", { a: of("work") }, "0 0 234 74", [["/a", 0, 0, 210, 50]]],
    [
      "of two beside each other",
      { a: of("work"), b: of("work") },
      "0 0 464 74",
      [
        ["/a", 0, 0, 210, 50],
        ["/b", 230, 0, 210, 50],
      ],
    ],
    [
      "of one below two, in their middle",
      { a: of("work"), b: of("work"), c: of("work", "a", "b") },
      "0 0 464 160",
      [
        ["/a", 0, 0, 210, 50],
        ["/b", 230, 0, 210, 50],
        ["/c", 115, 86, 210, 50],
      ],
    ],
    [
      "of a task in a DAG",
      { g: of("one") },
      "0 0 262 138",
      [
        ["/g", 0, 0, 238, 114],
        ["/g/in", 0, 0, 210, 50],
      ],
    ],
    [
      "of two tasks in a DAG, below another",
      { a: of("work"), g: of("two", "a") },
      "0 0 492 224",
      [
        ["/a", 129, 0, 210, 50],
        ["/g", 0, 86, 468, 114],
        ["/g/left", 0, 0, 210, 50],
        ["/g/right", 230, 0, 210, 50],
      ],
    ],
    // What contains itself is drawn once.
    [
      "of what contains itself",
      { g: of("itself") },
      "0 0 262 138",
      [
        ["/g", 0, 0, 238, 114],
        ["/g/again", 0, 0, 210, 50],
      ],
    ],
  ])("%s", (_, tasks, viewBox, boxes) => {
    const [, , width, height] = viewBox.split(" ");
    expect(geometryOf(draw(tasks))).toEqual({ size: [viewBox, width, height], boxes });
  });

  test("leaves room around it, and around what is in a box", () => {
    const svg = draw({ g: of("one") });
    expect(svg).toMatch(/^<svg [^>]*><g transform="translate\(12 12\)">/);
    expect(svg).toContain('<g transform="translate(14 50)"><g aria-hidden="true">');
  });

  test.each<[string, object, readonly string[]]>([
    ["straight down", { a: of("work"), b: of("work", "a") }, ["M105 50C105 68 105 68 105 86"]],
    [
      "from both that come before",
      { a: of("work"), b: of("work"), c: of("work", "a", "b") },
      ["M105 50C105 68 220 68 220 86", "M335 50C335 68 220 68 220 86"],
    ],
    [
      "past what is between",
      { a: of("work"), b: of("work", "a"), c: of("work", "a", "b") },
      ["M105 50C105 68 105 68 105 86", "M105 50C105 111 105 111 105 172", "M105 136C105 154 105 154 105 172"],
    ],
    ["from none", { a: of("work"), b: of("work") }, []],
  ])("has arrows %s", (_, tasks, arrows) => {
    const found = Array.from(draw(tasks).matchAll(/<path class="arrow" d="([^"]*)"/g), ([, d]) => d);
    expect(found).toEqual(arrows);
  });
});

describe("the words of a graph", () => {
  test("are where they belong", () => {
    const [face = ""] = /<rect.*(?=<\/g><\/g><\/g><\/svg>$)/.exec(draw({ a: of("work") })) ?? [];
    expect(face.replaceAll(/(<|\/)/g, "\n$1").match(/\w+="[^"]*"|>[^<\n]+/g)).toEqual([
      ...['class="face"', 'width="210"', 'height="50"', 'rx="8"'],
      ...['class="sign"', 'x="12"', 'y="21"', 'hidden="true"', ">*"],
      ...['class="name"', 'x="28"', 'y="21"', ">a"],
      ...['class="note"', 'x="28"', 'y="39"', ">note"],
    ]);
  });

  test.each([
    ["n".repeat(23), "note", false],
    ["n".repeat(24), "note", true],
    ["n", "x".repeat(29), false],
    ["n", "x".repeat(30), true],
  ])("are cut where a box ends, and then whole in a title: %s, %s", (name, note, isCut) => {
    const svg = draw({ [name]: of("work") }, note);
    expect(svg.includes(`<title>${name}\n${note}</title>`)).toBe(isCut);
    expect(svg.includes("…")).toBe(isCut);
  });

  test("name the pipeline, and have a style where there is one", () => {
    const look = () => ({ attributes: { "data-a": "b" }, sign: "*", note: "" });
    const unnamed = drawGraph(pipelineOf({ a: of("work") }, ""), look) ?? "";
    expect(unnamed).toContain('role="group" aria-label="Graph of the pipeline"');
    expect(unnamed).toContain('<g class="box" data-box="/a" data-a="b" transform=');
    expect(unnamed).not.toContain("<style>");
    const styled = draw({ a: of("work") }, "", ".a { b: c }");
    expect(styled).toContain('aria-label="Graph of drawn"><style>.a { b: c }</style><g');
  });

  test("lead where the host says", () => {
    const link = drawGraph(pipelineOf({ a: of("work") }), () => {
      return { attributes: {}, sign: "*", note: "", link: "#t-1" };
    });
    expect(link).toContain('<a href="#t-1"><rect class="face"');
    expect(draw({ a: of("work") })).not.toContain("<a ");
  });
});

test.each([
  [1500, true],
  [1501, false],
])("a graph of %i boxes is drawn: %s", (count, isDrawn) => {
  const tasks = Object.fromEntries(Array.from({ length: count }, (_, at) => [`t${at}`, of("work")]));
  expect(draw(tasks) !== "").toBe(isDrawn);
});

test.each([
  [30, true],
  [31, false],
])("pipelines in each other are drawn as far as anybody can read: %i", (depth, isDrawn) => {
  const levels = Array.from({ length: depth }, (_, level) => [
    `level-${level}`,
    { dag: { tasks: { in: of(level + 1 < depth ? `level-${level + 1}` : "work") } } },
  ]);
  const pipeline = pipelineOf({ a: of("level-0") }, "deep", Object.fromEntries(levels));
  const drawn = drawGraph(pipeline, () => ({ attributes: {}, sign: "*", note: "" }));
  expect(drawn?.includes(`data-box="/a${"/in".repeat(depth)}"`) ?? false).toBe(isDrawn);
});

describe("odd pipelines", () => {
  const dag = (tasks: object) => ({ dag: { tasks } });
  const drawn = (tasks: object, components: object) =>
    drawGraph(pipelineOf(tasks, "odd", components), () => ({ attributes: {}, sign: "*", note: "" }));
  const arrowsOf = (svg: string | undefined) => (svg ?? "").match(/<path class="arrow"/g) ?? [];

  test("whose components contain each other are drawn as far as that goes", () => {
    const components = { ping: dag({ pong: of("pong") }), pong: dag({ ping: of("ping") }) };
    const { boxes } = geometryOf(drawn({ a: of("ping") }, components) ?? "");
    expect(boxes.map(([id]) => id)).toEqual(["/a", "/a/pong", "/a/pong/ping"]);
  });

  test("have an arrow for each task before one, however often it is named, and none for itself", () => {
    const takes = {
      ...of("take", "a", "a"),
      inputs: { parameters: { in: { taskOutputParameter: { producerTask: "a", outputParameterKey: "o" } } } },
    };
    const inputDefinitions = { parameters: { in: { parameterType: "STRING" } } };
    const components = { take: { executorLabel: "exec", inputDefinitions } };
    expect(arrowsOf(drawn({ a: of("work"), b: takes }, components))).toHaveLength(1);
    expect(arrowsOf(drawn({ a: of("work", "a") }, {}))).toEqual([]);
  });

  test("have a box of the usual width for a DAG of nothing", () => {
    const { boxes } = geometryOf(drawn({ a: of("none") }, { none: dag({}) }) ?? "");
    expect(boxes).toEqual([["/a", 0, 0, 210, 64]]);
  });

  test.each([
    [749, true],
    [750, false],
  ])("with two groups of %i tasks are drawn where that is not too much", (count, isDrawn) => {
    const tasks = Object.fromEntries(Array.from({ length: count }, (_, at) => [`t${at}`, of("work")]));
    const svg = drawn({ a: of("many"), b: of("many") }, { many: dag(tasks) });
    expect(svg !== undefined).toBe(isDrawn);
  });
});

test("a task that has not come to be is drawn as one that has not started, and leads nowhere", () => {
  const asked: string[] = [];
  const linkTo = (task: string) => {
    asked.push(task);
    return `#${task}`;
  };
  const svg = drawRun(pipelineOf({ a: of("work") }), [], { linkTo }) ?? "";
  expect([svg.includes('data-state="PENDING"'), svg.includes("not started")]).toEqual([true, true]);
  expect([svg.includes("<a "), asked]).toEqual([false, []]);
});

test.each([
  ["shown", "shown"],
  ["", "a"],
  ["\u001b".repeat(9), "\\u{1b}\\u{1b}\\u{1b}\\u{1…"],
])("a task that is called %j is shown as %j", (name, shown) => {
  const svg = draw({ a: { ...of("work"), taskInfo: { name } } });
  expect(/class="name"[^>]*>([^<]*)</.exec(svg)?.[1]).toBe(shown);
});

test("a drawing is called the graph of its pipeline, and is one by its class", () => {
  const head = (svg: string) => /^<svg [^>]*>/.exec(svg)?.[0];
  expect(head(draw({ a: of("work") }))).toBe(
    '<svg xmlns="http://www.w3.org/2000/svg" class="graph" viewBox="0 0 234 74" width="234" height="74" role="group" aria-label="Graph of drawn">',
  );
});
