import { paths } from "../../protocol.js";
import { type RouterRequest, splitTarget } from "./exchange.js";

/**
 * Where callers find the API, as far as the request tells: the path of the description without its own end. Whoever makes a link to the
 * description writes that path, so it must not name another host: several slashes in front would.
 */
export function publicBase({ originalUrl, url }: Pick<RouterRequest, "originalUrl" | "url">): string {
  const { path } = splitTarget(originalUrl ?? url);
  if (!path.endsWith(paths.openapi)) return "";
  const base = path.slice(0, -paths.openapi.length).replace(/^[/\\]+/, "/");
  return /^\/[\x21-\x7e]*$/.test(base) ? base : "";
}
