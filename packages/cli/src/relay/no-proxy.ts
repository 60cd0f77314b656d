import { BlockList, isIP } from "node:net";
import { domainToASCII } from "node:url";

/** Whether an address is asked directly: what a `NO_PROXY` says, as programs in Go read it, and this machine in any case. */
export function directly(noProxy: string): (url: URL) => boolean {
  const entries = noProxy.split(/[,\s]+/).filter((entry) => entry !== "");
  if (entries.includes("*")) return () => true;
  const matchers = [isThisMachine, ...entries.flatMap((entry) => matcherOf(entry.toLowerCase()) ?? [])];
  return ({ hostname, port, protocol }) => {
    const host = withoutBrackets(hostname);
    return matchers.some((matches) => matches(host, port || (protocol === "https:" ? "443" : "80")));
  };
}

type Matcher = (host: string, port: string) => boolean;

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

const isThisMachine: Matcher = (host) => host === "localhost" || has(loopback, host);

/** What an entry stands for; nothing when it is none. */
function matcherOf(entry: string): Matcher | undefined {
  const list = new BlockList();
  const network = /^([^/]+)\/(\d{1,3})$/.exec(entry);
  if (network !== null) {
    const [, address = "", length] = network;
    const family = isIP(address);
    const bits = Number(length);
    if (family === 0 || bits > (family === 4 ? 32 : 128)) return undefined;
    list.addSubnet(address, bits, family === 4 ? "ipv4" : "ipv6");
    return (host) => has(list, host);
  }
  const [name, port] = partsOf(entry);
  const isAtPort = (asked: string) => port === undefined || port === asked;
  const family = isIP(name);
  if (family === 0) {
    const isNamed = nameMatcher(name);
    return isNamed && ((host, asked) => isNamed(host) && isAtPort(asked));
  }
  list.addAddress(name, family === 4 ? "ipv4" : "ipv6");
  return (host, asked) => has(list, host) && isAtPort(asked);
}

/** `example.com` is that name and all below it; `.example.com` and `*.example.com` are those below it only. */
function nameMatcher(text: string): ((host: string) => boolean) | undefined {
  const name = text.replace(/^\*?\./, "");
  if (name === "") return undefined;
  const wanted = /[^ -~]/.test(name) ? domainToASCII(name) : name;
  const isWhole = name === text;
  return (host) => host.endsWith(`.${wanted}`) || (isWhole && host === wanted);
}

/** The host of an entry, and its port if it has one. An IPv6 address with a port stands in brackets. */
function partsOf(entry: string): readonly [host: string, port?: string] {
  if (isIP(entry) !== 0) return [entry];
  const [, host = entry, port] = /^(.*):(\d+)$/.exec(entry) ?? [];
  return port === undefined ? [withoutBrackets(host)] : [withoutBrackets(host), port];
}

function withoutBrackets(host: string): string {
  return host.startsWith("[") && host.endsWith("]") ? host.slice(1, -1) : host;
}

function has(list: BlockList, host: string): boolean {
  const family = isIP(host);
  return family !== 0 && list.check(host, family === 4 ? "ipv4" : "ipv6");
}
