import type { Section } from "../property.js";
import { duration } from "../quantities.js";
import { address, boolean, httpAddress, list, port, text } from "../value-types.js";

const localTtl = {
  variable: "CACHE_TTL",
  type: duration,
  sets: "cacheTtl",
  about:
    "After this time the database is read again, so that what others wrote is served; at least 1s. Not set or negative: never, because upstream tells of every change.",
} as const;

export const redis = {
  enabledBy: ["use", "host", "url", "port"],
  properties: {
    use: {
      variable: "USE_REDIS",
      type: boolean,
      default: "false",
      variableOnly: true,
      sets: "store: redisStore",
      about:
        "Keeps flags in Redis. Other variables of this section count only with it, or if the file has set an address.",
    },
    host: {
      variable: "REDIS_HOST",
      type: text,
      default: "localhost",
      unless: "url",
      sets: "url",
      about: "The server.",
    },
    port: {
      variable: "REDIS_PORT",
      type: port,
      default: "6379",
      unless: "url",
      sets: "url",
      about: "Its port. The variable may be `tcp://HOST:PORT`, as links of containers set it.",
    },
    url: {
      variable: "REDIS_URL",
      type: address,
      secret: "url",
      sets: "url",
      about: "The server as `redis://` or `rediss://`, instead of host and port.",
    },
    tls: {
      variable: "REDIS_TLS",
      type: boolean,
      default: "false",
      sets: "url",
      about: "Whether connections are encrypted, whatever the URL says.",
    },
    username: {
      variable: "REDIS_USERNAME",
      type: text,
      sets: "username",
      about: "The user; wins over that of the URL.",
    },
    password: {
      variable: "REDIS_PASSWORD",
      type: text,
      secret: "password",
      sets: "password",
      about: "The password; wins over that of the URL.",
    },
    localTtl,
  },
} as const satisfies Section;

export const consul = {
  enabledBy: ["use", "host"],
  properties: {
    use: {
      variable: "USE_CONSUL",
      type: boolean,
      default: "false",
      variableOnly: true,
      sets: "store: consulStore",
      about:
        "Keeps flags in Consul. Other variables of this section count only with it, or if the file has set a host.",
    },
    host: {
      variable: "CONSUL_HOST",
      type: text,
      default: "localhost",
      sets: "address",
      about: "The agent, with its port unless that is 8500; a URL for HTTPS.",
    },
    token: {
      variable: "CONSUL_TOKEN",
      type: text,
      secret: "password",
      sets: "token",
      about: "The ACL token.",
    },
    tokenFile: {
      variable: "CONSUL_TOKEN_FILE",
      type: text,
      sets: "token",
      about: "A file that has the token, instead; it may change.",
    },
    localTtl,
  },
} as const satisfies Section;

export const dynamoDb = {
  enabledBy: ["enabled"],
  properties: {
    enabled: {
      variable: "USE_DYNAMODB",
      type: boolean,
      default: "false",
      sets: "store: dynamoDbStore",
      about: "Keeps flags in DynamoDB; region and credentials as every program of AWS finds them.",
    },
    tableName: {
      variable: "DYNAMODB_TABLE",
      type: text,
      sets: "table",
      about: "The table of environments that have none of their own.",
    },
    url: {
      variable: "DYNAMODB_URL",
      type: httpAddress,
      sets: "connect.endpoint",
      about: "Another address than that of AWS.",
    },
    localTtl,
  },
} as const satisfies Section;

export const proxy = {
  properties: {
    url: {
      variable: "PROXY_URL",
      type: httpAddress,
      secret: "url",
      sets: "upstream.dispatcher",
      about:
        "The HTTP proxy for everything that is asked of upstream; user and password may stand in it. Not set: `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` count, read as ld-relay reads them.",
    },
    ntlmAuth: {
      variable: "PROXY_AUTH_NTLM",
      type: boolean,
      default: "false",
      sets: "nothing: refused",
      about: "NTLM is not spoken; put a proxy between that does.",
    },
    user: {
      variable: "PROXY_AUTH_USER",
      type: text,
      sets: "nothing without NTLM, as in ld-relay",
      about: "Counts with NTLM only; otherwise the user stands in the URL.",
    },
    password: {
      variable: "PROXY_AUTH_PASSWORD",
      type: text,
      secret: "password",
      sets: "nothing without NTLM, as in ld-relay",
      about: "Counts with NTLM only; otherwise the password stands in the URL.",
    },
    domain: {
      variable: "PROXY_AUTH_DOMAIN",
      type: text,
      sets: "nothing without NTLM, as in ld-relay",
      about: "Counts with NTLM only.",
    },
    caCertFiles: {
      variable: "PROXY_CA_CERTS",
      type: list,
      sets: "upstream.dispatcher",
      about: "Files of further authorities whose certificates upstream may have.",
    },
  },
} as const satisfies Section;
