const reference =
  /^(?:(?:[A-Za-z0-9](?:[-A-Za-z0-9.]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])(?::\d+)?\/)?[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*(?::[A-Za-z0-9_][A-Za-z0-9_.-]{0,127})?(?:@(?:sha256:[0-9a-f]{64}|sha384:[0-9a-f]{96}|sha512:[0-9a-f]{128}))?$/;

/** A repository may have so many characters, without the registry that it is in. */
const longest = 255;

/** True for a reference of an image that a registry knows; of ones longer than a thousand characters only the length is looked at. */
export const isImage = (text: string): boolean =>
  pathOf(text).length <= longest && (text.length > 1000 || reference.test(text));

/** The name without registry, tag and digest. */
function pathOf(text: string): string {
  const [name = ""] = text.split("@", 1);
  const slash = name.indexOf("/");
  const first = name.slice(0, Math.max(0, slash));
  const path = first === "localhost" || /[.:A-Z]/.test(first) ? name.slice(slash + 1) : name;
  const tag = path.lastIndexOf(":");
  return tag > path.lastIndexOf("/") ? path.slice(0, tag) : path;
}
