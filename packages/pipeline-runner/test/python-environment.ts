import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Why this machine goes without Python, when it does. */
export const withoutPython: string | undefined = process.env.WYE_WITHOUT_PYTHON;
if (withoutPython !== undefined) console.warn(`Python components are left out: ${withoutPython}`);

const requirements = fileURLToPath(new URL("./python/requirements.txt", import.meta.url));

/**
 * Makes a virtual environment with what Python components import, and returns a folder for the PATH. Its `python3` is a stand-in that
 * leaves out `python3 -m pip …`, with which every component would install its packages from the network once more.
 */
export function installPython(folder: string): string {
  const environment = join(folder, "environment");
  const python = join(environment, "bin/python");
  try {
    execFileSync("python3", ["-m", "venv", environment], { stdio: "pipe" });
    const install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"];
    execFileSync(python, [...install, "--require-hashes", "-r", requirements], { stdio: "pipe" });
  } catch (cause) {
    const help = 'WYE_WITHOUT_PYTHON="the reason" leaves it out';
    throw new Error(`Python components need Python 3.9 or newer with venv; ${help}`, { cause });
  }
  const bin = join(folder, "bin");
  mkdirSync(bin);
  const standIn = `#!/bin/sh\n[ "$1 $2" = "-m pip" ] && exit 0\nexec ${python} "$@"\n`;
  for (const name of ["python3", "python"]) script(join(bin, name), standIn);
  script(join(bin, "pip"), "#!/bin/sh\nexit 0\n");
  return bin;
}

function script(path: string, text: string): void {
  writeFileSync(path, text);
  chmodSync(path, 0o755);
}
