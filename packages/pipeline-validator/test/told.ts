import { type Profile, validatePipeline } from "../src/index.js";

/** All that is said of a text, in one line each: the rule, the place, the message, what to do about it, and what else to see. */
export function told(text: string, profile: Profile = "kfp"): readonly string[] {
  const { problems } = validatePipeline(text, { profile, parse: { deprecations: false } });
  return problems.map(({ code, path, message, hint, related = [] }) =>
    [
      `${code} at ${path}: ${message}`,
      ...(hint === undefined ? [] : [hint]),
      ...related.map((one) => `see ${one.path}: ${one.message}`),
    ].join(" | "),
  );
}
