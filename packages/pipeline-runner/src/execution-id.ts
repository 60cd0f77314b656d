/** The id of a task in what surrounds it. Characters with a meaning in ids are written as in URLs, the empty name as a percent sign. */
export function taskId(parent: string, name: string): string {
  const own = name.replace(/[%/[\]]/g, (character) => encodeURIComponent(character)) || "%";
  return parent === "" ? own : `${parent}/${own}`;
}

/** The id of an iteration of a loop. */
export function iterationId(loop: string, index: number): string {
  return `${loop}[${index}]`;
}
