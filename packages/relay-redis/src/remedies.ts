import type { Remedy } from "@wye/relay";

const rights = 'the rights that stand in the README of @wye/relay-redis, "In the database"';

/** What is to be done about failures of Redis, of a command that concerns a key and others like it. */
export function remediesAt(key: string): readonly Remedy[] {
  const [, prefix] = /^(.*):big_segment_(?:in|ex)clude:/s.exec(key) ?? [];
  const also = prefix === undefined ? "" : ` ${askAgain(prefix)}`;
  return [
    {
      says: /\bWRONGTYPE .* is a /,
      remedy: "somebody else keeps that there: delete it, or choose another prefix",
    },
    {
      says: /\bWRONGTYPE\b/,
      remedy: `somebody else keeps something of another kind at ${JSON.stringify(key)}: delete it${also}, or choose another prefix`,
    },
    ...remedies,
  ];
}

/** What has to go beside a list of a context whose members may have been lost with it. */
export function askAgain(prefix: string): string {
  return `and ${prefix}:big_segments_cursor, so that all memberships are asked for again`;
}

/** What is to be done about failures of Redis whatever is asked of it. */
export const remedies: readonly Remedy[] = [
  {
    says: /\bWRONGPASS\b|invalid password/,
    remedy: "check username and password, those of the URL or what credentials gives",
  },
  {
    says: /\bNOAUTH\b/,
    remedy: "Redis asks for a password: give password, credentials, or a URL that has them",
  },
  { says: /\bAUTH\b.*without any password/, remedy: "Redis asks for no password: give none" },
  { says: /\bNOPERM\b/, remedy: `the user of Redis needs ${rights}` },
  {
    says: /Unknown RESP type|unexpected reply|Protocol error/i,
    remedy:
      "what answers there is no Redis without TLS: check host and port, and whether the URL has to begin with rediss:",
  },
  {
    says: /connection timeout|socket closed unexpectedly|\bECONNRESET\b/i,
    remedy:
      "Redis has ended the connection, or does not answer: if that goes on, check host, port and firewalls, and whether the URL has to begin with redis: or rediss:",
  },
  {
    says: /\bEPROTO\b|wrong version number|ERR_SSL_/,
    remedy:
      "Redis does not speak TLS there, or asks for a certificate of the client: check whether the URL has to begin with redis:, or give tls: { cert, key }",
  },
  {
    says: /SELF_SIGNED_CERT|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/,
    remedy:
      "nobody here trusts who has signed the certificate: give theirs, as in tls: { ca: readFileSync(file) }, or name a file with them in NODE_EXTRA_CA_CERTS",
  },
  {
    says: /client is offline|disconnects client/i,
    remedy:
      "the connection was lost and is being made anew; if that goes on, check whether the server, or that node, runs",
  },
  {
    says: /no answer within/,
    remedy:
      "connections are taken and nothing is answered: check whether host and port are those of Redis, and whether it is stuck",
  },
  { says: /DB index is out of range/, remedy: "the URL names a database that this Redis does not have" },
  {
    says: /\bMOVED\b/,
    remedy:
      "this is a node of a cluster: give cluster: [{ host, port }] instead of a URL, which wye relay cannot",
  },
  {
    says: /cluster support disabled/,
    remedy: "this is not a cluster: give a URL, or sentinel, instead of cluster",
  },
  { says: /\bCLUSTERDOWN\b/, remedy: "some slots of the cluster have no node: see CLUSTER INFO" },
  { says: /\bOOM\b/, remedy: "Redis is out of memory: raise its maxmemory, or make room" },
  { says: /\bMISCONF\b/, remedy: "Redis cannot save to its disk, and takes no writes until it can" },
  { says: /\bREADONLY\b/, remedy: "this is a replica: the address, or sentinel, has to lead to the leader" },
];
