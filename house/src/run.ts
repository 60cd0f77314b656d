import { execFile } from "node:child_process";

/** How a program ended and what it said. */
export interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end. A status other than zero is a result, not an exception. */
export function run(
  command: string,
  args: readonly string[],
  { cwd, env = {} }: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv },
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    execFile(
      command,
      args,
      { cwd, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        if (error && typeof error.code !== "number") reject(error);
        else resolve({ status: typeof error?.code === "number" ? error.code : 0, stdout, stderr });
      },
    );
  });
}

/** The npm that runs this, or the one on the path. */
export function npm(args: readonly string[], cwd: string): Promise<Ended> {
  const program = process.env.npm_execpath;
  return program?.endsWith("npm-cli.js")
    ? run(process.execPath, [program, ...args], { cwd })
    : run("npm", args, { cwd });
}
