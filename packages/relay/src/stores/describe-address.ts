/** The address of a database as the status shows it, which everybody may see: without a password, or anything that may be one. */
export function describeAddress(address: string): string {
  if (!URL.canParse(address)) return "(no address)";
  const shown = new URL(address);
  if (shown.password !== "") shown.password = "xxxxx";
  if (shown.search === "" && shown.hash === "" && shown.password === "") return address;
  shown.search = "";
  shown.hash = "";
  return shown.href;
}
