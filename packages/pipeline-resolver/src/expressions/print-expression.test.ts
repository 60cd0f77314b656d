import fc from "fast-check";
import { expect, test } from "vitest";
import { compileExpression, type ExpressionNode, printExpression } from "../index.js";

const span = { start: 0, end: 0 };
const name = fc.constantFrom("inputs", "outputs", "x", "item", "_1");
const literal: fc.Arbitrary<ExpressionNode> = fc
  .oneof(
    fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }).map((value) => ({ type: "int" as const, value })),
    fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((value) => ({ type: "uint" as const, value })),
    fc
      .double({ min: 0, noNaN: true, noDefaultInfinity: true })
      .map((value) => ({ type: "double" as const, value })),
    fc.string({ unit: "binary" }).map((value) => ({ type: "string" as const, value })),
    fc.uint8Array({ maxLength: 5 }).map((value) => ({ type: "bytes" as const, value })),
    fc.boolean().map((value) => ({ type: "bool" as const, value })),
    fc.constant({ type: "null" as const, value: null }),
  )
  .map((one) => ({ kind: "literal", ...one, span }));

const { expression } = fc.letrec<{ expression: ExpressionNode }>((tie) => {
  const node = tie("expression");
  const binary = fc.constantFrom(..."|| && == != < <= > >= in + - * / %".split(" "));
  return {
    expression: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      literal,
      name.map((one): ExpressionNode => ({ kind: "name", name: one, span })),
      fc
        .tuple(node, fc.oneof(name, fc.constantFrom("in", "true", "a-b", "a.b/c d", "1")))
        .map(([target, field]): ExpressionNode => ({ kind: "member", target, field, fieldSpan: span, span })),
      fc.tuple(node, node).map(([target, index]): ExpressionNode => ({ kind: "index", target, index, span })),
      fc
        .tuple(
          fc.constantFrom("size", "parseJson", "f"),
          fc.option(node, { nil: undefined }),
          fc.array(node, { maxLength: 3 }),
        )
        .map(([one, target, args]): ExpressionNode => ({ kind: "call", name: one, target, args, span })),
      fc
        .tuple(fc.constantFrom("all", "exists", "map", "filter"), node, name, node)
        .map(([one, target, variable, body]): ExpressionNode => {
          const args: ExpressionNode[] = [{ kind: "name", name: variable, span }, body];
          return { kind: "call", name: one, target, args, span };
        }),
      fc.array(node, { maxLength: 3 }).map((items): ExpressionNode => ({ kind: "list", items, span })),
      fc
        .array(fc.record({ key: node, value: node }), { maxLength: 2 })
        .map((entries): ExpressionNode => ({ kind: "map", entries, span })),
      fc
        .tuple(fc.constantFrom("!" as const, "-" as const), node)
        .map(([operator, operand]): ExpressionNode => ({ kind: "unary", operator, operand, span })),
      fc
        .tuple(binary, node, node)
        .map(
          ([operator, left, right]) => ({ kind: "binary", operator, left, right, span }) as ExpressionNode,
        ),
      fc
        .tuple(node, node, node)
        .map(([condition, yes, no]): ExpressionNode => ({ kind: "conditional", condition, yes, no, span })),
    ),
  };
});

/** The nodes without their places. */
function shape(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shape);
  if (value instanceof Uint8Array || typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) =>
      key === "span" || key === "fieldSpan" ? [] : [[key, shape(one)]],
    ),
  );
}

test.each([
  ["!(!(- (x)))", "!!-x"],
  ["-(a + b)", "-(a + b)"],
  ["-(a.b) + (-a).b", "-a.b + (-a).b"],
  ["1.5[0] + (1).x", "(1.5)[0] + (1).x"],
  ["x.`null`.`in`.`nullable`.`a-b`", "x.`null`.`in`.nullable.`a-b`"],
  [String.raw`'\x7f\x01\t\'\\"é'`, String.raw`'\x7f\x01\t\'\\"é'`],
  [String.raw`b'\x01a'`, String.raw`b'\x01\x61'`],
  ["[1.0,1e30,3u,null,true]", "[1.0, 1e+30, 3u, null, true]"],
  ["a||(b&&c)||d", "a || b && c || d"],
  ["(a||b)&&(c&&d)", "(a || b) && (c && d)"],
  ["(a-b)-(c-d)*2", "a - b - (c - d) * 2"],
  ["(a==b)==(c<d)", "(a == b) == (c < d)"],
  ["(a<=b)+c", "(a <= b) + c"],
  ["a?(b?c:d):(e?f:g)", "a ? b ? c : d : e ? f : g"],
  ["(a?b:c)?d:e", "(a ? b : c) ? d : e"],
  ["(a||b)?c:d", "a || b ? c : d"],
  ["{(a?b:c):(d||e)}", "{a ? b : c: d || e}"],
  ["(a?b:c).f((d||e),g)[(h?i:j)]", "(a ? b : c).f(d || e, g)[h ? i : j]"],
  ["!(a in b)", "!(a in b)"],
])("%s is printed %s", (text, printed) => {
  const { root } = compileExpression(text, "condition");
  expect(root && printExpression(root)).toBe(printed);
});

test("what is printed reads as the same expression, and prints the same again", () => {
  fc.assert(
    fc.property(expression, (node) => {
      const text = printExpression(node);
      const { root } = compileExpression(text, "condition");
      expect(shape(root)).toEqual(shape(node));
      expect(root && printExpression(root)).toBe(text);
    }),
    { seed: 1, numRuns: 3_000 },
  );
});

test("arbitrary text never throws, and never hangs", () => {
  const fragment = fc.constantFrom(
    ..."inputs .parameter_values ['x'] == != && || ! - + * / % ( ) [ ] { } , : ? ' \" \\ 1 2.5 3u in true null".split(
      " ",
    ),
    ...[
      ".all(x, ",
      ".map(x, x)",
      "has(",
      "size(",
      "parseJson(",
      "matches('",
      "'a'",
      "\n",
      "//",
      "\u{1f600}",
      "\ud800",
      "`",
    ],
  );
  const text = fc.oneof(
    fc.array(fragment, { maxLength: 30 }).map((parts) => parts.join(" ")),
    fc.array(fragment, { maxLength: 30 }).map((parts) => parts.join("")),
    fc.string({ unit: "binary", maxLength: 60 }),
  );
  fc.assert(
    fc.property(text, fc.jsonValue(), (one, value) => {
      const condition = compileExpression(one, "condition");
      const result = condition.evaluate({ inputs: { parameterValues: { x: value } } });
      expect(condition.problems.length > 0 && result.ok).toBe(false);
      condition.explain({ inputs: { parameterValues: { x: value } } });
      compileExpression(one, "selector").evaluate(value);
      for (const { span: at } of condition.problems) {
        expect(at.start).toBeGreaterThanOrEqual(0);
        expect(at.end).toBeGreaterThanOrEqual(at.start);
        expect(at.end).toBeLessThanOrEqual(one.length);
      }
    }),
    { seed: 2, numRuns: 5_000 },
  );
});

test("an operand has parentheses only where its operator would be read otherwise", () => {
  const levels = ["||", "&&", "== != < <= > >= in", "+ -", "* / %"].map((level) => level.split(" "));
  const leaf = (text: string): ExpressionNode => ({ kind: "name", name: text, span });
  const pair = (left: ExpressionNode, operator: string, right: ExpressionNode) =>
    ({ kind: "binary", operator, left, right, span }) as ExpressionNode;
  const [a, b, c] = [leaf("a"), leaf("b"), leaf("c")] as const;
  for (const [outerLevel, outers] of levels.entries())
    for (const [innerLevel, inners] of levels.entries())
      for (const outer of outers)
        for (const inner of inners) {
          const isPlain = innerLevel > outerLevel || (innerLevel === outerLevel && innerLevel !== 2);
          const left = isPlain ? `a ${inner} b` : `(a ${inner} b)`;
          const right = innerLevel > outerLevel ? `b ${inner} c` : `(b ${inner} c)`;
          const printed = [pair(pair(a, inner, b), outer, c), pair(a, outer, pair(b, inner, c))];
          expect(printed.map(printExpression)).toEqual([`${left} ${outer} c`, `a ${outer} ${right}`]);
        }
});
