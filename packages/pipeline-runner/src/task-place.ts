/** Where a task is, as its id says. */
export interface TaskPlace {
  /** The id of the task around it; the empty text is the run. */
  readonly parent: string;
  /** Its key in the DAG; of an iteration that of the loop. */
  readonly name: string;
  /** Which iteration it is. */
  readonly iteration?: number;
}

/** Reads an id that `taskId` or `iterationId` has made. */
export function placeOf(id: string): TaskPlace {
  if (id.endsWith("]")) {
    const parent = id.slice(0, id.lastIndexOf("["));
    return { parent, name: placeOf(parent).name, iteration: Number(id.slice(parent.length + 1, -1)) };
  }
  const end = id.lastIndexOf("/");
  const own = id.slice(end + 1);
  // The empty name is written so.
  return { parent: id.slice(0, Math.max(0, end)), name: own === "%" ? "" : decodeURIComponent(own) };
}
