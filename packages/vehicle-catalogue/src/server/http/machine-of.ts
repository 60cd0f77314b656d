/**
 * What stands for the machine behind an address. Whoever has one IPv6 address has all 2^64 that begin alike; and one of IPv4 is the same
 * however a socket writes it. A port, which some proxies name as well, is another one with each connection. What is no address stands for itself.
 */
export function machineOf(named: string): string {
  const address = withoutPort(named);
  if (!address.includes(":")) return address;
  const [mapped] = /(?<=^::ffff:)[0-9.]+$/i.exec(address) ?? [];
  if (mapped !== undefined) return mapped;
  const groups = groupsOf(address.split("%", 1)[0] ?? "");
  if (groups === undefined) return address;
  const network = groups.slice(0, 4).join(":");
  return network === "0:0:0:0" && groups[4] === "0" && groups[5] === "ffff"
    ? dotted(groups.slice(6))
    : `${network}::/64`;
}

/** The address alone: of IPv6 it is in brackets where a port may follow. */
function withoutPort(address: string): string {
  const { v6, v4 } =
    /^(?:\[(?<v6>[^\]]+)\](?::\d+)?|(?<v4>\d+(?:\.\d+){3}):\d+)$/.exec(address)?.groups ?? {};
  return v6 ?? v4 ?? address;
}

/** An address of IPv4 that was written in groups. */
const dotted = (groups: readonly string[]): string =>
  groups
    .map((group) => Number.parseInt(group, 16))
    .flatMap((pair) => [pair >> 8, pair & 255])
    .join(".");

/** The eight groups of an IPv6 address, written in one way. */
function groupsOf(address: string): readonly string[] | undefined {
  const [before = "", after, ...more] = address.split("::");
  const [first, last] = [before, after ?? ""].map((part) => (part === "" ? [] : part.split(":"))) as [
    string[],
    string[],
  ];
  const missing = 8 - first.length - last.length;
  if (more.length > 0 || (after === undefined ? missing !== 0 : missing < 1)) return undefined;
  const groups = [...first, ...Array<string>(missing).fill("0"), ...last];
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return undefined;
  return groups.map((group) => Number.parseInt(group, 16).toString(16));
}
