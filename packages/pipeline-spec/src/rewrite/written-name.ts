/** How a file spells a name: as it is, or as the proto file has it. */
export function writtenName(has: (name: string) => boolean, name: string): string {
  if (has(name)) return name;
  const original = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return has(original) ? original : name;
}
