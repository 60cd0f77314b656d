import type { Config } from "./config/config.js";
import { propertiesOf, type SectionName, sectionNames, sectionOf } from "./config/sections.js";

/**
 * Where the value was set that the relay refuses, told from its words: they name the option, and the table of properties says which
 * of them sets it. Empty when nothing has set it, `undefined` when it is not known.
 */
export function originsOfOption(config: Config, problem: string): readonly string[] | undefined {
  const [, kind = ""] = /^environments .* have the same (\w+)$/s.exec(problem) ?? [];
  if (kind !== "") {
    const names = config.namesOf("Environment").filter((name) => problem.includes(JSON.stringify(name)));
    return names.flatMap((name) => config.originsOf("Environment", kind, name));
  }
  for (const section of sectionNames)
    for (const [name, parent] of placesOf(config, section))
      for (const [key, { sets }] of propertiesOf(section)) {
        const option = /\w+$/.exec(sets)?.[0] ?? "";
        const path = sets.replace("NAME", () => parent);
        if (begins(problem, path, option)) return config.originsOf(section, key, name);
      }
  return undefined;
}

/** The names of a section, each with that of the environment which it is for. */
function placesOf(
  config: Config,
  section: SectionName,
): readonly (readonly [name: string, environment: string])[] {
  if (sectionOf(section).named !== true) return [["", ""]];
  return config.namesOf("Environment").map((environment) => {
    const { projKey = "" } = config.of("Environment", environment);
    return [section === "Filters" ? projKey : environment, environment];
  });
}

/** Whether a problem is about an option: `environments.a: sdkKey must …`. */
function begins(problem: string, path: string, option: string): boolean {
  const section = path.slice(0, -option.length - 1) || "options";
  const begin = `${section}: ${option}`;
  return problem.startsWith(begin) && /^\W/.test(problem.slice(begin.length));
}
