import { aboutNames } from "../environment-about.js";
import { type Fields, isFields } from "../fields.js";

/**
 * What can be read of an environment that cannot be used: who it is, in the words of `EnvironmentOptions`. `id` is that under which it stands. Its keys are those of
 * SDKs that are to try again.
 */
export function readableOptions(id: string, given: unknown): Fields {
  const fields = fieldsFrom(given);
  const sdkKey = fieldsFrom(fields.sdkKey);
  const expiring = fieldsFrom(sdkKey.expiring);
  const { key } = textsOf({ key: expiring.value });
  const expires = Number.isFinite(expiring.timestamp) ? { expires: expiring.timestamp } : {};
  return {
    envId: id,
    ...textsOf({ sdkKey: sdkKey.value, mobileKey: fields.mobKey }),
    furtherSdkKeys: key === undefined ? [] : [{ key, ...expires }],
    about: textsOf(Object.fromEntries(aboutNames.map((name) => [name, fields[name]]))),
  };
}

function fieldsFrom(value: unknown): Fields {
  return isFields(value) ? value : {};
}

/** The members that are text, and not empty. */
function textsOf(fields: Fields): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(fields))
    if (typeof value === "string" && value !== "") texts[name] = value;
  return texts;
}
