import { describe, expect, test } from "vitest";
import { compileExpression } from "../index.js";
import { EvaluationMeter } from "./evaluation-meter.js";
import { defaultExpressionLimits } from "./expression-problem.js";

const limits = { ...defaultExpressionLimits, maxSteps: 3 };

/** Half of what the patterns of an evaluation may cost, and a bit: most of it for the pattern itself. */
const pattern = "b".repeat(1000);
const text = "a".repeat(26_000);

/** A meter that is asked the same in one evaluation after the other. */
function inTurn(ask: (meter: EvaluationMeter) => unknown): readonly (readonly [unknown, boolean])[] {
  const meter = new EvaluationMeter();
  return [1, 2, 3].map(() => {
    meter.start(limits);
    return [ask(meter), meter.exhausted];
  });
}

describe("each evaluation begins with nothing used up:", () => {
  test("passes through loops", () => {
    const three = (meter: EvaluationMeter) => [0, 15, 15].map((nodes) => meter.step(nodes));
    expect(inTurn(three)).toEqual(Array(3).fill([[true, true, true], false]));
    const four = (meter: EvaluationMeter) => [0, 0, 0, 0].map((nodes) => meter.step(nodes));
    expect(inTurn(four)).toEqual(Array(3).fill([[true, true, true, false], true]));
    const large = (meter: EvaluationMeter) => [16, 16].map((nodes) => meter.step(nodes));
    expect(inTurn(large)).toEqual(Array(3).fill([[true, false], true]));
  });

  test("elements that are looked at", () => {
    const within = (meter: EvaluationMeter) => [15, 48, 15].map((elements) => meter.look(elements));
    expect(inTurn(within)).toEqual(Array(3).fill([[true, true, true], false]));
    const beyond = (meter: EvaluationMeter) => [48, 16, 0].map((elements) => meter.look(elements));
    expect(inTurn(beyond)).toEqual(Array(3).fill([[true, false, false], true]));
    // They count together with the passes.
    const both = (meter: EvaluationMeter) => [meter.look(32), meter.step(0), meter.step(0)];
    expect(inTurn(both)).toEqual(Array(3).fill([[true, true, false], true]));
  });

  test("the work of patterns", () => {
    const once = (meter: EvaluationMeter) => meter.matches(text, pattern);
    expect(inTurn(once)).toEqual(Array(3).fill([false, false]));
    const twice = (meter: EvaluationMeter) => [once(meter), once(meter), meter.matches("b", "b")];
    const spent = "matching took too many steps";
    expect(inTurn(twice)).toEqual(Array(3).fill([[false, spent, spent], true]));
  });

  test("what parseJson has returned", () => {
    const meter = new EvaluationMeter();
    meter.parsed.push(1);
    meter.start(limits);
    expect(meter.parsed).toEqual([]);
  });
});

test("a condition with a pattern is as good the hundredth time as the first", () => {
  const condition = `inputs.parameter_values['t'].matches('${pattern}')`;
  const compiled = compileExpression(condition, "condition");
  const twice = compileExpression(`${condition} || ${condition}`, "condition");
  const given = { inputs: { parameterValues: { t: text } } };
  for (let times = 0; times < 5; times++) {
    expect(compiled.evaluate(given)).toMatchObject({ ok: true, value: false });
    expect(twice.evaluate(given)).toMatchObject({
      ok: false,
      problem: { message: expect.stringContaining("steps") },
    });
  }
});
