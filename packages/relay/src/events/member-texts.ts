import { jsonMembers } from "../sources/json-members.js";

/** Gives a member's value as it is written; nothing if there is no such member. */
export type MemberText = (name: string) => string | undefined;

/**
 * Finds the values of an object's members in its JSON. Of a name that stands there twice the last one counts, as `JSON.parse`
 * has it. What is passed on in this way keeps its digits, and the order of its members.
 */
export function memberTexts(json: string): MemberText {
  const members = jsonMembers(json);
  return (name) => {
    const span = members.get(name);
    return span && json.slice(span.start, span.end);
  };
}
