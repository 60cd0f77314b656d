import { aboutNames } from "../environment-about.js";
import { type Fields, isFields } from "../fields.js";

/**
 * What can be read of an environment that cannot be used: who it is, in the words of `EnvironmentOptions`. `id` is that under which it stands. Its keys are those of
 * SDKs that are to try again.
 */
export function readableOptions(id: string, given: unknown): Fields {
  const fields = isFields(given) ? given : {};
  const { value } = isFields(fields.sdkKey) ? fields.sdkKey : {};
  return {
    envId: id,
    ...textsOf({ sdkKey: value, mobileKey: fields.mobKey }),
    about: textsOf(Object.fromEntries(aboutNames.map((name) => [name, fields[name]]))),
  };
}

/** The members that are text, and not empty. */
function textsOf(fields: Fields): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(fields))
    if (typeof value === "string" && value !== "") texts[name] = value;
  return texts;
}
