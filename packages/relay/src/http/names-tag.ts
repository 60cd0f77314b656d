/**
 * Whether `If-None-Match` names a tag: alone, in a list, or by `*`, and also as a weak one, which what compresses on the way makes of
 * it.
 */
export function namesTag(header: string | undefined, tag: string): boolean {
  const wanted = strong(tag);
  return header?.split(",").some((one) => one.trim() === "*" || strong(one) === wanted) === true;
}

const strong = (tag: string): string => tag.trim().replace(/^W\//, "");
