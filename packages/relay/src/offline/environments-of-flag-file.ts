import type { AnnouncedOptions } from "../auto-config/announced-change.js";
import type { Change } from "../change.js";
import type { OwnKeys } from "../credentials.js";
import { malformedData } from "../error.js";
import { OptionReader } from "../options/option-reader.js";
import type { FlagFile } from "./flag-file-contents.js";
import { flagFileError } from "./flag-file-error.js";

/** An environment with its flags. */
export interface EnvironmentWithFlags {
  readonly options: AnnouncedOptions;
  readonly change: Change;
}

/** What the environment of a file that names none is called. */
const onlyEnvironment = "default";

/** What a file need not say. */
const unsaid = { secureMode: false, ttl: 0, furtherSdkKeys: [], about: {}, filters: [] };

const settingNames = ["sdkKey", "mobileKey", "envId", "secureMode", "ttl"];

/**
 * The environments of a file of flags by name. `keys` are those of a file that names none. Throws a `RelayError`
 * (`malformed_data`) with a sentence for each mistake.
 */
export function environmentsOfFlagFile(
  { shared, environments }: FlagFile,
  path: string,
  keys: OwnKeys | undefined,
): ReadonlyMap<string, EnvironmentWithFlags> {
  if (environments.size === 0) {
    if (keys !== undefined)
      return new Map([[onlyEnvironment, { options: { ...unsaid, ...keys }, change: shared }]]);
    throw malformedData(
      `${path} names no environments: add \`environments:\` with an sdkKey for each, or give the keys beside the file, as \`keys\` in the options or with \`wye relay --dev\``,
    );
  }
  const problems: { line: number; message: string }[] = [];
  const owners = new Map<string, string>();
  const read = [...environments].map(([name, { settings, line, change }]) => {
    const sentences: string[] = [];
    const reader = new OptionReader(settings, `environment ${JSON.stringify(name)}`, sentences);
    const options = optionsFrom(reader);
    if (name === "" || !name.isWellFormed())
      sentences.push(`environment ${JSON.stringify(name)}: its name must be text that is not empty`);
    for (const kind of ["sdkKey", "mobileKey", "envId"] as const) {
      const place = JSON.stringify([kind, options[kind]]);
      const owner = owners.get(place);
      if (options[kind] !== undefined && owner !== undefined)
        reader.report(kind, `is that of environment ${JSON.stringify(owner)} as well`);
      owners.set(place, name);
    }
    problems.push(...sentences.map((message) => ({ line, message })));
    return [name, { options, change }] as const;
  });
  if (problems.length > 0) throw flagFileError(path, problems);
  return new Map(read);
}

function optionsFrom(reader: OptionReader): AnnouncedOptions {
  reader.onlyThese(settingNames);
  const mobileKey = reader.credential("mobileKey");
  const envId = reader.credential("envId");
  return {
    ...unsaid,
    sdkKey: reader.credential("sdkKey", "is required: the key of server-side SDKs") ?? "",
    ...(mobileKey === undefined ? {} : { mobileKey }),
    ...(envId === undefined ? {} : { envId }),
    secureMode: reader.boolean("secureMode", unsaid.secureMode),
    ttl: reader.duration("ttl", unsaid.ttl),
  };
}
