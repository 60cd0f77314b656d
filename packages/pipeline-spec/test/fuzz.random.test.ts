import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type ParseResult,
  PipelineJob,
  PipelineSpec,
  parsePipeline,
  readBinary,
  readJson,
} from "../src/index.js";
import { anyJson } from "./arbitrary-json.js";
import { corpus } from "./corpus.js";

const times = process.env.WYE_ALL_ROUNDS ? 10 : 1;
const texts = corpus("valid").map(({ text }) => text.slice(0, 3000));

/** What every result promises, whatever the input was. */
function expectSound(input: string, result: ParseResult): void {
  const errors = result.problems.filter(({ severity }) => severity === "error");
  expect(result.ok, input).toBe(errors.length === 0);
  for (const { range, code, message } of result.problems) {
    const offsets = [0, range?.start.offset ?? -1, range?.end.offset ?? -1, input.length];
    expect(offsets, input).toEqual(offsets.toSorted((x, y) => x - y));
    expect(code).not.toBe("");
    expect(message).not.toBe("");
  }
}

/** Pieces of YAML and JSON, in no good order. */
const soup = fc
  .array(
    fc.constantFrom(
      ...[
        "root",
        "dag",
        "tasks",
        ":",
        ": ",
        "- ",
        "-",
        "? ",
        "\n",
        "\n  ",
        "\n    ",
        "\t",
        "[",
        "]",
        "{",
        "}",
        ",",
        "&a ",
        "*a",
        "<<: ",
        "!!str ",
        "!x ",
      ],
      ...[
        '"',
        "'",
        "\\",
        "|",
        ">-",
        "#",
        " #",
        "---\n",
        "...\n",
        "%YAML 1.1\n",
        "null",
        "1",
        "~",
        "\r\n",
        "\ufeff",
        "é",
        "😀",
        "\u2028",
        "{{$}}",
      ],
    ),
    { maxLength: 60 },
  )
  .map((pieces) => pieces.join(""));

/** A corpus file with a stretch cut out, and something put in its place. */
const damaged = fc
  .tuple(
    fc.constantFrom(...texts),
    fc.nat({ max: 3000 }),
    fc.nat({ max: 40 }),
    fc.oneof(soup, fc.string({ unit: "binary", maxLength: 5 })),
  )
  .map(([text, at, length, other]) => text.slice(0, at) + other + text.slice(at + length));

const truncated = fc
  .tuple(fc.constantFrom(...texts), fc.nat({ max: 3000 }))
  .map(([text, length]) => text.slice(0, length));

describe("whatever the text is, there is a result", () => {
  const kinds = {
    soup,
    damaged,
    truncated,
    text: fc.string({ unit: "binary", maxLength: 200 }),
    json: anyJson.map((value) => JSON.stringify(value)),
  };
  for (const [name, kind] of Object.entries(kinds)) {
    test(name, () => {
      fc.assert(
        fc.property(kind, (text) => expectSound(text, parsePipeline(text))),
        { seed: 21, numRuns: (name === "damaged" || name === "truncated" ? 40 : 300) * times },
      );
    });
  }
});

test("whatever the value is, there is a result", () => {
  const names = ["PipelineSpec", "PlatformSpec", "ExecutorInput", "PipelineTaskSpec"] as const;
  fc.assert(
    fc.property(
      fc.constantFrom(...names),
      fc.anything({ withBigInt: true, withDate: true, withMap: true }),
      (name, value) => {
        const result = readJson(name, value);
        expect(result.ok).toBe(!result.problems.some(({ severity }) => severity === "error"));
      },
    ),
    { seed: 22, numRuns: 500 * times },
  );
});

describe("whatever the bytes are", () => {
  const encoded = corpus("valid").flatMap(({ text }) => {
    const result = parsePipeline(text);
    return result.ok ? [PipelineSpec.encode(result.pipeline.spec).finish()] : [];
  });
  const flipped = fc
    .tuple(
      fc.constantFrom(...encoded),
      fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { minLength: 1, maxLength: 4 }),
      fc.nat(),
    )
    .map(([bytes, changes, cut]) => {
      const copy = cut % 3 === 0 ? bytes.slice(0, cut % bytes.length) : bytes.slice();
      for (const [at, value] of changes) copy[at % copy.length] = value;
      return copy;
    });
  const random = fc.uint8Array({ maxLength: 60 });

  test("readBinary gives a result, and decode can read what it accepts", () => {
    fc.assert(
      fc.property(
        fc.oneof(flipped, random),
        fc.constantFrom("PipelineSpec", "PipelineJob"),
        (bytes, name) => {
          const result = readBinary(name, bytes);
          expect(result.ok).toBe(!result.problems.some(({ severity }) => severity === "error"));
        },
      ),
      { seed: 23, numRuns: 300 * times },
    );
  });

  test("decode returns or throws an Error", () => {
    fc.assert(
      fc.property(fc.oneof(flipped, random), fc.constantFrom(PipelineSpec, PipelineJob), (bytes, codec) => {
        let thrown: unknown;
        try {
          codec.decode(bytes);
        } catch (error) {
          thrown = error;
        }
        expect(thrown === undefined || thrown instanceof Error).toBe(true);
      }),
      { seed: 24, numRuns: 300 * times },
    );
  });
});

test("what is dense with tokens is refused before it fills the memory", () => {
  const program = `
    import { parsePipeline } from "@wye/pipeline-spec";
    const dense = ["- a\\n".repeat(2e6), "[" + "a,".repeat(2e6), "a: [[],".repeat(1e6), '{"a":' + "[".repeat(4e6)];
    const problems = dense.map((text) => parsePipeline(text, { maxTokens: 300_000 }).problems[0].code);
    console.log(JSON.stringify(problems));`;
  const output = execFileSync(
    process.execPath,
    ["--max-old-space-size=300", "--no-warnings", "--input-type=module", "--eval", program],
    { cwd: new URL("..", import.meta.url), encoding: "utf8" },
  );
  expect(JSON.parse(output)).toEqual(["too-large", "too-large", "too-large", "too-deep"]);
});
