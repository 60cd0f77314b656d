/**
 * What stands for the machine behind an address. Whoever has one IPv6 address has all 2^64 that begin alike; and one of IPv4 is the same
 * however a socket writes it. A port, which some proxies name as well, is another one with each connection. Of a list, which proxies add to, only
 * the last address was not written by who comes; of an element of `Forwarded`, only what it is for says where that was. What is no address stands
 * for itself.
 */
export function machineOf(named: string): string {
  const forwardedFor = lastElementOf(named).find((part) => /^for=/i.test(part));
  if (forwardedFor === undefined) {
    const last = named.slice(named.lastIndexOf(",") + 1).trim();
    return networkWithPort(last) ?? named;
  }
  const node = forwardedFor.slice("for=".length).replace(/^"(.*)"$/, "$1");
  return networkWithPort(node) ?? node.replace(port, "");
}

/**
 * The parts of the last element of a list, as `Forwarded` has them. From its end: what stands before may be written by who comes, with quotes
 * that are never closed.
 */
function lastElementOf(list: string): readonly string[] {
  const parts: string[] = [];
  let end = list.length;
  let isQuoted = false;
  for (let at = list.length - 1; at >= 0; at--) {
    const character = list[at];
    if (character === '"' && !isEscaped(list, at)) isQuoted = !isQuoted;
    if (isQuoted || (character !== ";" && character !== ",")) continue;
    parts.push(list.slice(at + 1, end).trim());
    end = at;
    if (character === ",") return parts;
  }
  return [...parts, list.slice(0, end).trim()];
}

/** Whether a character of a quoted text is meant as it stands: an odd number of backslashes is before it. */
function isEscaped(text: string, at: number): boolean {
  let from = at;
  while (text[from - 1] === "\\") from--;
  return (at - from) % 2 === 1;
}

/** A port, or what `Forwarded` may have in place of one that is hidden. */
const port = /:(?:\d+|_[\w.-]+)$/;

const networkWithPort = (written: string): string | undefined =>
  networkOf(written) ?? networkOf(written.replace(port, ""));

/** Longer is none, whatever a network interface is called: nobody has to look for one in so much text. */
const longestAddress = 128;

function networkOf(written: string): string | undefined {
  if (written.length > longestAddress) return undefined;
  const [address = ""] = written.replace(/^\[(.*)\]$/, "$1").split("%", 1);
  // Put together anew: a piece of a list would keep all of it in memory.
  if (/^\d+(?:\.\d+){3}$/.test(address)) return address.split(".").map(Number).join(".");
  const groups = groupsOf(address);
  if (groups === undefined) return undefined;
  return translated.has(groups.slice(0, 6).join(":"))
    ? dotted(groups.slice(6))
    : `${groups.slice(0, 4).join(":")}::/64`;
}

/** What addresses of IPv4 begin with where they are written as such of IPv6: by sockets, and by networks that translate. */
const translated: ReadonlySet<string> = new Set(["0:0:0:0:0:ffff", "64:ff9b:0:0:0:0"]);

/** An address of IPv4 that was written in groups. */
const dotted = (groups: readonly string[]): string =>
  groups
    .map((group) => Number.parseInt(group, 16))
    .flatMap((pair) => [pair >> 8, pair & 255])
    .join(".");

/** The same the other way round. */
const grouped = (address: string): string => {
  const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
  return [a * 256 + b, c * 256 + d].map((pair) => pair.toString(16)).join(":");
};

/** The eight groups of an IPv6 address, written in one way. */
function groupsOf(address: string): readonly string[] | undefined {
  const [before = "", after, ...more] = address.replace(/\d+(?:\.\d+){3}$/, grouped).split("::");
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
