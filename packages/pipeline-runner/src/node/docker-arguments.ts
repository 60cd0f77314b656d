import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { DockerOptions } from "./docker-command.js";
import type { Work } from "./executor.js";
import { isBelow, localPath } from "./local-path.js";
import { isOwn, isWithin } from "./own-file.js";

/** By this label all containers of runs are found: `docker ps --all --filter label=wye.run`. */
const label = "wye.run";

/** The command line that runs a container: what the specification calls its command is the entrypoint of an image. */
export function dockerArguments(
  work: Work,
  name: string,
  { pull = "missing", user, args = [] }: DockerOptions,
): string[] {
  const { image, command, task, environment } = work;
  const own = user ?? ownUser();
  const [entrypoint, ...rest] = command;
  return [
    ...["run", "--name", name, "--label", `${label}=${task.id}`, "--pull", pull, "--init"],
    ...(own === undefined ? [] : ["--user", own]),
    ...["--workdir", work.folder],
    ...mounts(work).flatMap(({ path, isReadOnly }) => [
      "--mount",
      `type=bind,${quoted(`source=${path}`)},${quoted(`target=${path}`)}${isReadOnly ? ",readonly" : ""}`,
    ]),
    ...Object.entries({ ...homeOf(own), ...environment }).flatMap(([key, value]) => [
      "--env",
      `${key}=${value}`,
    ]),
    ...(entrypoint === undefined ? [] : ["--entrypoint", entrypoint]),
    ...args,
    image,
    ...rest,
    ...work.args,
  ];
}

interface Mount {
  readonly path: string;
  readonly isReadOnly: boolean;
}

/**
 * Whom an image does not know has `/` for a home and cannot write there, which what installs packages does. By name it knows its users, and
 * root has a home everywhere.
 */
const homeOf = (user = "0"): { readonly HOME?: string } =>
  /^0*[1-9]\d*(:|$)/.test(user) ? { HOME: "/tmp" } : {};

/**
 * The folder of the task and what the run shares can be written, with the inputs that are in it; others are only read. Nothing is mounted where
 * nothing was written.
 */
function mounts({ folder, shared, executorInput }: Work): readonly Mount[] {
  const inputs = Object.values(executorInput.inputs?.artifacts ?? {}).flatMap(({ artifacts }) =>
    artifacts.flatMap(({ uri, customPath }) => customPath || localPath(uri) || []),
  );
  return [
    { path: folder, isReadOnly: false },
    { path: shared, isReadOnly: false },
    ...[...new Set(inputs)]
      .filter((path) => existsSync(path) && !isBelow(path, shared))
      .map((path) => ({ path, isReadOnly: true })),
  ];
}

/** What an earlier task has put into the run as a link to somewhere else: it was not given that. */
export function strayMount(work: Work): string | undefined {
  const run = dirname(work.shared);
  return mounts(work)
    .map(({ path }) => path)
    .find((path) => isBelow(path, run) && !(isOwn(path) && isWithin(path, run)));
}

/** Whether a text can be an image: values of others may have filled it in, and what begins with a dash is an option. */
export const isImage = (text: string): boolean => /^\w\S*$/.test(text);

/** A field of the comma-separated list that `--mount` takes. */
const quoted = (field: string): string => (/[",\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field);

function ownUser(): string | undefined {
  const [uid, gid] = [process.getuid?.(), process.getgid?.()];
  return uid === undefined || gid === undefined ? undefined : `${uid}:${gid}`;
}
