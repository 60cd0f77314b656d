import { readFile } from "node:fs/promises";

/** Where a pod finds its token for Kubeflow Pipelines. */
export const podTokenPath = "/var/run/secrets/kubeflow/pipelines/token";

/**
 * A token in a file, such as the projected one of a pod, for `auth.token`. The file is read for each request, because the cluster renews it.
 *
 * @throws Error when the file cannot be read; the call fails with `credentials`
 */
export function tokenFile(path: string = podTokenPath): () => Promise<string> {
  return async () => {
    const token = (await readFile(path, "utf8")).trim();
    if (token === "") throw new Error(`there is no token in ${path}`);
    return token;
  };
}

/** The same, and no token at all while there is no file. */
export function optionalTokenFile(path: string): () => Promise<string | undefined> {
  const read = tokenFile(path);
  return async () => {
    try {
      return await read();
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
      throw error;
    }
  };
}
