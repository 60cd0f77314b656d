import type { Remedy } from "@wye/relay";

/** What is to be done about failures of Consul, whose keys begin with a prefix. */
export function remediesUnder(prefix: string): readonly Remedy[] {
  const keys = JSON.stringify(`${prefix}/`);
  return [
    {
      says: /Permission denied|lacks permission|may not read/,
      remedy: `the token needs a rule key_prefix ${keys} { policy = "write" }; without a token it is the rule of the anonymous one`,
    },
    {
      says: /ACL not found|ACL token/,
      remedy: "Consul does not know the token, or not any more: check token",
    },
    { says: /No path to datacenter/, remedy: "check datacenter: Consul knows none of this name" },
    { says: /HTTP request to an HTTPS server/, remedy: "the address has to begin with https:" },
    {
      says: /\bEPROTO\b|wrong version number|ERR_SSL_/,
      remedy:
        "Consul does not speak TLS there, or asks for a certificate of the client: check whether the address has to begin with http:, or give a dispatcher that has one",
    },
    {
      says: /SELF_SIGNED_CERT|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/,
      remedy:
        "nobody here trusts who has signed the certificate: give theirs, as in dispatcher: new Agent({ connect: { ca: readFileSync(file) } }), or name a file with them in NODE_EXTRA_CA_CERTS",
    },
    {
      says: /answered (401|407)/,
      remedy:
        "a proxy before Consul asks for a user: write it into the address, as in http://user:password@host:8500",
    },
    {
      says: /No cluster leader|no known Consul servers/i,
      remedy: "Consul has no leader at the moment: see consul operator raft list-peers",
    },
    {
      says: /that is not JSON|that is no answer|answered (30\d|404|405)/,
      remedy: "what answers there is not the HTTP interface of Consul: check address, and proxies between",
    },
  ];
}
