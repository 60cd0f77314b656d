import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "./make-folder.js";

// A stand-in for the command: it notes its arguments, runs the entrypoint on this machine, and refuses in the words of the real one.
const standIn = (calls: string) => `#!/bin/bash
printf '%s\\x1f' "$@" >> ${calls}; echo >> ${calls}
refuse() { printf "docker: Error response from daemon: %s\\n\\nRun 'docker run --help' for more information\\n" "$1" >&2; exit 125; }
[ -e ${calls}.hangs.$1 ] && { touch ${calls}.hanging.$1; exec sleep 1000; }
[ -e ${calls}.denies.$1 ] && { echo "Error response from daemon: permission denied" >&2; exit 1; }
case "$1" in
  version) echo 99; exit 0;;
  stop) [ -e ${calls}.pid ] || { echo "Error response from daemon: No such container: $4" >&2; exit 1; }; kill "$(cat ${calls}.pid)"; exit 0;;
  rm) exit 0;;
  container) cat ${calls}.state; exit;;
esac
shift
while [ "\${1#--}" != "$1" ]; do
  case "$1" in
    --init) shift; continue;;
    --entrypoint) entrypoint=$2;;
    --env) export "$2";;
    --workdir) cd "$2";;
    --mount) source=\${2#*source=}; source=\${source%%,*}
      [ -e "$source" ] || refuse "invalid mount config for type \\"bind\\": bind source path does not exist: $source";;
  esac
  shift 2
done
image=$1
[ "$image" = far ] && echo "Unable to find image 'far:latest' locally" >&2
if [ "$image" = slow -o "$image" = far ]; then
  trap 'touch ${calls}.killed; exit 1' TERM
  touch ${calls}.making; until [ -e ${calls}.made ]; do sleep 0.02; done
  trap - TERM
fi
[ "$image" = missing ] && refuse "No such image: missing"
shift
echo $$ > ${calls}.pid
[ "$image" = small ] && echo "2026-01-31T13:05:59Z true" > ${calls}.state || echo "2026-01-31T13:05:59Z false" > ${calls}.state
exec "$entrypoint" "$@"
`;

/** A command of its own for a test. */
export interface StandIn {
  readonly program: string;
  /** The arguments of each call of a command, such as `run`. */
  readonly callsOf: (command: string) => readonly (readonly string[])[];
  /** Is there once a container has been started. */
  readonly pid: string;
  /** The file that tells the stand-in something, as `hangs.rm`, or that it tells something with. */
  readonly note: (of: string) => string;
}

/** Puts the stand-in into a folder of its own. */
export function install(): StandIn {
  const folder = makeFolder();
  const [program, calls] = [join(folder, "docker"), join(folder, "calls")];
  writeFileSync(program, standIn(calls));
  chmodSync(program, 0o755);
  const callsOf = (command: string) =>
    readFileSync(calls, "utf8")
      .trim()
      .split("\n")
      .map((line) => line.split("\x1f").slice(0, -1))
      .filter(([first]) => first === command);
  return { program, callsOf, pid: `${calls}.pid`, note: (of: string) => `${calls}.${of}` };
}
