import { earth, earthVariables } from "./valid-configs.js";

/** A configuration that is refused, with the message of each form. */
export interface InvalidCase {
  readonly name: string;
  readonly file?: string;
  readonly variables?: Readonly<Record<string, string>>;
  readonly message: string;
}

const two = `[Environment "earth"]\nsdkKey = k1\n[Environment "krypton"]\nsdkKey = k2\n`;
const twoVariables = { LD_ENV_earth: "k1", LD_ENV_krypton: "k2" };

/** A wrong value of a property; in both forms if the messages agree. */
function wrong(section: string, key: string, variable: string, value: string, message: string): InvalidCase {
  const switches: Readonly<Record<string, string>> =
    section === "Redis" ? { USE_REDIS: "1" } : section === "Prometheus" ? { USE_PROMETHEUS: "1" } : {};
  return {
    name: `${key} = ${value}`,
    file: `[${section}]\n${key} = ${value}\n${earth}`,
    variables: { ...earthVariables, ...switches, [variable]: value },
    message,
  };
}

const values: readonly InvalidCase[] = [
  ...["0s", "-1s", "99ms"].map((value) =>
    wrong(
      "Main",
      "expiredCredentialCleanupInterval",
      "EXPIRED_CREDENTIAL_CLEANUP_INTERVAL",
      value,
      "expired credential cleanup interval must be >= 100ms",
    ),
  ),
  wrong("Main", "port", "PORT", "x", "not a valid integer"),
  wrong("Main", "port", "PORT", "1.5", "not a valid integer"),
  wrong("Main", "port", "PORT", "0", "value must be greater than zero"),
  wrong("Main", "port", "PORT", "-1", "value must be greater than zero"),
  wrong("Main", "port", "PORT", "65536", "there is no port above 65535"),
  wrong("Events", "capacity", "EVENTS_CAPACITY", "many", "not a valid integer"),
  wrong("Prometheus", "port", "PROMETHEUS_PORT", "0", "value must be greater than zero"),
  wrong("Main", "streamUri", "STREAM_URI", "not/absolute", "must be an absolute URL/URI"),
  wrong("Main", "streamUri", "STREAM_URI", "http://", "not a valid URL/URI"),
  wrong("Main", "streamUri", "STREAM_URI", "ftp://files.example", "must begin with http:// or https://"),
  wrong("Main", "streamUri", "STREAM_URI", "https://a.example?x=1", "must not have a query or a fragment"),
  wrong(
    "Main",
    "initTimeout",
    "INIT_TIMEOUT",
    "10",
    'not a valid duration (must use format "1ms", "1s", "1m", etc.)',
  ),
  wrong(
    "Main",
    "initTimeout",
    "INIT_TIMEOUT",
    "1d",
    'not a valid duration (must use format "1ms", "1s", "1m", etc.)',
  ),
  wrong("Main", "logLevel", "LOG_LEVEL", "wrong", '"wrong" is not a valid log level'),
  wrong("Main", "tlsMinVersion", "TLS_MIN_VERSION", "x", '"x" is not a valid TLS version'),
  wrong(
    "Events",
    "maxInboundPayloadSize",
    "EVENTS_MAX_INBOUND_PAYLOAD_SIZE",
    "5",
    "not a valid base-2 byte size",
  ),
  wrong(
    "Events",
    "maxInboundPayloadSize",
    "EVENTS_MAX_INBOUND_PAYLOAD_SIZE",
    "0B",
    "max inbound payload size must be greater than zero",
  ),
  {
    name: "exitAlways = x",
    file: `[Main]\nexitAlways = x\n${earth}`,
    message: 'exitAlways: failed to parse bool "x"',
  },
  {
    name: "EXIT_ALWAYS = x",
    variables: { ...earthVariables, EXIT_ALWAYS: "x" },
    message: "EXIT_ALWAYS: not a valid boolean value (must be true/false, yes/no, or 0/1)",
  },
  {
    name: "EXIT_ALWAYS = on, which files know only",
    variables: { ...earthVariables, EXIT_ALWAYS: "on" },
    message: "EXIT_ALWAYS: not a valid boolean value",
  },
  { name: "a port without a value", file: `[Main]\nport\n${earth}`, message: "port: needs a value after =" },
];

const unreadable: readonly InvalidCase[] = [
  {
    name: "an unknown section",
    file: `[Mian]\nport = 1\n${earth}`,
    message: 'unsupported or misspelled section "Mian"; did you mean [Main]?',
  },
  {
    name: "an unknown property",
    file: `[Main]\nheartbeat = 1m\n${earth}`,
    message: 'unsupported or misspelled section "Main", variable "heartbeat"',
  },
  {
    name: "a misspelled property",
    file: `[Main]\nstremUri = http://x\n${earth}`,
    message: "did you mean streamUri?",
  },
  {
    name: "a property of another section",
    file: `[Main]\nsendEvents = true\n${earth}`,
    message: "it belongs to [Events]",
  },
  {
    name: "a line without =",
    file: `[Main]\nport 8030\n${earth}`,
    message: "there is no = between name and value",
  },
  { name: "a line that is nothing", file: `[Main]\n=8030\n${earth}`, message: "a line is name = value" },
  {
    name: "an open quote",
    file: `[Main]\nlogLevel = "info\n${earth}`,
    message: "a quote is not closed on its line",
  },
  { name: "an open section", file: `[Main\nport = 1\n${earth}`, message: "a section is written as [Name]" },
  {
    name: "a wrong escape",
    file: `[Main]\ntlsCert = "C:\\dir"\n${earth}`,
    message: "a backslash stands before",
  },
  {
    name: "a property above all sections",
    file: `port = 1\n${earth}`,
    message: "port stands above the first [Section]",
  },
  {
    name: "a name where there is none",
    file: `[Main "x"]\nport = 1\n${earth}`,
    message: "this section has no name: [Main]",
  },
  {
    name: "no name where there is one",
    file: "[Environment]\nsdkKey = x\n",
    message: 'needs a name: [Environment "name"]',
  },
];

const conflicts: readonly InvalidCase[] = [
  {
    name: "an environment without a key",
    file: `[Environment "earth"]\nmobileKey = m\n`,
    variables: { LD_ENV_earth: "" },
    message: 'SDK key is required for environment "earth"',
  },
  {
    name: "no environment",
    file: "[Main]\nport = 1\n",
    variables: {},
    message: "you must specify at least one environment",
  },
  ...["tlsCert = c", "tlsKey = k", ""].map((line) => ({
    name: `TLS with nothing but ${line || "its switch"}`,
    file: `[Main]\ntlsEnabled = true\n${line}\n${earth}`,
    variables: {
      ...earthVariables,
      TLS_ENABLED: "1",
      ...(line === "" ? {} : line.startsWith("tlsCert") ? { TLS_CERT: "c" } : { TLS_KEY: "k" }),
    },
    message: "TLS cert and key are required if TLS is enabled",
  })),
  {
    name: "automatic configuration with environments",
    file: `[AutoConfig]\nkey = rel-x\n${earth}`,
    variables: { ...earthVariables, AUTO_CONFIG_KEY: "rel-x" },
    message: "cannot configure specific environments if auto-configuration is enabled",
  },
  ...(
    [
      ["envAllowedOrigin", "ENV_ALLOWED_ORIGIN", "http://origin"],
      ["envAllowedHeader", "ENV_ALLOWED_HEADER", "X-Header"],
      ["envDatastorePrefix", "ENV_DATASTORE_PREFIX", "p"],
      ["envDatastoreTableName", "ENV_DATASTORE_TABLE_NAME", "t"],
    ] as const
  ).map(([key, variable, value]) => ({
    name: `${key} without a key`,
    file: `[AutoConfig]\n${key} = ${value}\n${earth}`,
    variables: { ...earthVariables, [variable]: value },
    message: "must specify auto-configuration key if other auto-configuration properties are set",
  })),
  {
    name: "automatic configuration with a database, without $CID",
    file: "[AutoConfig]\nkey = rel-x\n[Redis]\nhost = localhost\n",
    variables: { AUTO_CONFIG_KEY: "rel-x", USE_REDIS: "1" },
    message: 'must be specified and must contain "$CID"',
  },
  {
    name: "offline mode with environments",
    file: `[OfflineMode]\nfileDataSource = flags.json\n${earth}`,
    variables: { ...earthVariables, FILE_DATA_SOURCE: "flags.json" },
    message: "cannot configure specific environments if offline mode is enabled",
  },
  {
    name: "offline mode with automatic configuration",
    file: "[OfflineMode]\nfileDataSource = flags.json\n[AutoConfig]\nkey = rel-x\n",
    variables: { FILE_DATA_SOURCE: "flags.json", AUTO_CONFIG_KEY: "rel-x" },
    message: "cannot specify both auto-configuration key and file data source",
  },
  {
    name: "offline rules without a file",
    file: `[OfflineMode]\nenvAllowedOrigin = http://origin\n${earth}`,
    message: "must specify offline mode filename if other offline mode properties are set",
  },
  ...["0s", "-1s", "99ms"].map((interval) => ({
    name: `offline mode, looked at every ${interval}`,
    file: `[OfflineMode]\nfileDataSource = flags.json\nfileDataSourceMonitoringInterval = ${interval}\n`,
    variables: { FILE_DATA_SOURCE: "flags.json", FILE_DATA_SOURCE_MONITORING_INTERVAL: interval },
    message: "file data source monitoring interval must be >= 100ms",
  })),
  {
    name: "Redis with an address in two ways",
    file: `[Redis]\nhost = localhost\nurl = redis://other\n${earth}`,
    variables: { ...earthVariables, USE_REDIS: "1", REDIS_HOST: "localhost", REDIS_URL: "redis://other" },
    message: "please specify Redis URL or host/port, but not both",
  },
  {
    name: "Redis at what is no host",
    file: `[Redis]\nhost = "a b\\\\"\n${earth}`,
    variables: { ...earthVariables, USE_REDIS: "1", REDIS_HOST: "a b\\" },
    message: "invalid Redis hostname",
  },
  {
    name: "Redis in a linked container without a port",
    variables: { ...earthVariables, USE_REDIS: "1", REDIS_PORT: "tcp://redis.example:none" },
    message: "REDIS_PORT: not a valid integer",
  },
  {
    name: "Redis for environments without prefixes",
    file: `[Redis]\nhost = localhost\n${two}`,
    variables: { ...twoVariables, USE_REDIS: "1" },
    message: 'environment "krypton" does not have a prefix specified for database storage',
  },
  {
    name: "Consul for environments without prefixes",
    file: `[Consul]\nhost = localhost\n${two}`,
    variables: { ...twoVariables, USE_CONSUL: "1" },
    message: 'environment "earth" does not have a prefix specified for database storage',
  },
  {
    name: "Consul with a token in two ways",
    file: `[Consul]\nhost = localhost\ntoken = t\ntokenFile = f\n${earth}`,
    variables: { ...earthVariables, USE_CONSUL: "1", CONSUL_TOKEN: "t", CONSUL_TOKEN_FILE: "f" },
    message: "Consul token must be specified as either an inline value or a file, but not both",
  },
  {
    name: "DynamoDB for environments without prefixes or tables",
    file: `[DynamoDB]\nenabled = true\ntableName = t\n${two}`,
    variables: { ...twoVariables, USE_DYNAMODB: "1", DYNAMODB_TABLE: "t" },
    message: 'environment "earth" does not have a prefix or table name specified for database storage',
  },
  {
    name: "DynamoDB without a table",
    file: `[DynamoDB]\nenabled = true\n${earth}`,
    variables: { ...earthVariables, USE_DYNAMODB: "1" },
    message: "TableName property must be specified for DynamoDB, either globally or per environment",
  },
  ...(
    [
      [["Redis", "Consul"], "[Redis]\nhost = a\n[Consul]\nhost = b\n", { USE_REDIS: "1", USE_CONSUL: "1" }],
      [
        ["Redis", "DynamoDB"],
        "[Redis]\nhost = a\n[DynamoDB]\nenabled = true\n",
        { USE_REDIS: "1", USE_DYNAMODB: "1" },
      ],
      [
        ["Consul", "DynamoDB"],
        "[Consul]\nhost = a\n[DynamoDB]\nenabled = true\n",
        { USE_CONSUL: "1", USE_DYNAMODB: "1" },
      ],
    ] as const
  ).map(([names, file, variables]) => ({
    name: `the databases ${names.join(" and ")}`,
    file: file + earth,
    variables: { ...earthVariables, ...variables },
    message: `multiple databases are enabled (${names.join(", ")}); only one is allowed`,
  })),
  {
    name: "filters with automatic configuration",
    file: `[AutoConfig]\nkey = rel-x\n[Filters "p"]\nkeys = a\n`,
    variables: { AUTO_CONFIG_KEY: "rel-x", LD_FILTER_KEYS_p: "a" },
    message: "cannot configure filters if auto-configuration is enabled",
  },
  {
    name: "filters of an environment without a project",
    file: `${earth}[Filters "p"]\nkeys = a\n`,
    variables: { ...earthVariables, LD_FILTER_KEYS_p: "a" },
    message: "when filters are configured, all environments must specify a 'projKey'",
  },
  {
    name: "filters of a project without an environment",
    file: `${earth}projKey = q\n[Filters "p"]\nkeys = a\n`,
    variables: { ...earthVariables, LD_PROJ_KEY_earth: "q", LD_FILTER_KEYS_p: "a" },
    message: "filters are configured for project 'p', but no environment references that project",
  },
  {
    name: "no filters of a project",
    file: `${earth}projKey = p\n[Filters "p"]\nkeys =\n`,
    variables: { ...earthVariables, LD_PROJ_KEY_earth: "p", LD_FILTER_KEYS_p: "" },
    message: "filter key list for project 'p' cannot be empty",
  },
  {
    name: "an empty filter",
    file: `${earth}projKey = p\n[Filters "p"]\nkeys = a,,b\n`,
    variables: { ...earthVariables, LD_PROJ_KEY_earth: "p", LD_FILTER_KEYS_p: "a,,b" },
    message: "filter key [1] for project 'p' is malformed (note: lists are comma-delimited)",
  },
  {
    name: "NTLM without a user",
    file: `[Proxy]\nurl = http://proxy\nntlmAuth = true\n${earth}`,
    variables: { ...earthVariables, PROXY_URL: "http://proxy", PROXY_AUTH_NTLM: "1" },
    message: "NTLM proxy authentication requires username and password",
  },
  {
    name: "NTLM without a proxy",
    file: `[Proxy]\nntlmAuth = true\nuser = u\npassword = p\n${earth}`,
    variables: { ...earthVariables, PROXY_AUTH_NTLM: "1", PROXY_AUTH_USER: "u", PROXY_AUTH_PASSWORD: "p" },
    message: "cannot specify proxy authentication without a proxy URL",
  },
  {
    name: "NTLM",
    file: `[Proxy]\nurl = http://proxy\nntlmAuth = true\nuser = u\npassword = p\n${earth}`,
    variables: {
      ...earthVariables,
      PROXY_URL: "http://proxy",
      PROXY_AUTH_NTLM: "1",
      PROXY_AUTH_USER: "u",
      PROXY_AUTH_PASSWORD: "p",
    },
    message: "NTLM is not supported",
  },
  {
    name: "an authority without a file",
    file: `[Proxy]\ncaCertFiles = /no/such/ca.pem\n${earth}`,
    variables: { ...earthVariables, PROXY_CA_CERTS: "/no/such/ca.pem" },
    message: "cannot read the CA certificate file /no/such/ca.pem",
  },
  {
    name: "a certificate without a file",
    file: `[Main]\ntlsEnabled = true\ntlsCert = /no/such/cert.pem\ntlsKey = /no/such/key.pem\n${earth}`,
    variables: {
      ...earthVariables,
      TLS_ENABLED: "1",
      TLS_CERT: "/no/such/cert.pem",
      TLS_KEY: "/no/such/key.pem",
    },
    message: "cannot read /no/such/cert.pem",
  },
  {
    name: "one key for two environments",
    file: `[Environment "a"]\nsdkKey = same\n[Environment "b"]\nsdkKey = same\n`,
    variables: { LD_ENV_a: "same", LD_ENV_b: "same" },
    message: 'environments "a" and "b" have the same sdkKey',
  },
  {
    name: "one port for two listeners",
    file: `[Main]\nport = 8031\n[Prometheus]\nenabled = true\n${earth}`,
    variables: { ...earthVariables, PORT: "8031", USE_PROMETHEUS: "1" },
    message: "each listener needs a port of its own",
  },
  {
    name: "a folder and a database",
    file: `[Wye]\ndataFolder = data\n[Redis]\nhost = localhost\n${earth}`,
    variables: { ...earthVariables, WYE_DATA_FOLDER: "data", USE_REDIS: "1" },
    message: "flags are kept in a folder or in a database, not in both",
  },
  {
    name: "one prefix for two environments",
    file: `[Redis]\nhost = localhost\n${two}prefix = ld\n[Environment "earth"]\nprefix = ld\n`,
    variables: { ...twoVariables, USE_REDIS: "1", LD_PREFIX_earth: "ld", LD_PREFIX_krypton: "ld" },
    message: `"krypton" and "earth" would overwrite each other's flags under prefix "ld": give each a place of its own`,
  },
  {
    name: "one prefix in one table for two environments",
    file: `[DynamoDB]\nenabled = true\ntableName = t\n${two}prefix = ld\n[Environment "earth"]\nprefix = ld\ntableName = t\n`,
    message: `relay.conf:8: "krypton" and "earth" would overwrite each other's flags in table t under prefix "ld"`,
  },
  {
    name: "a prefix that is that of a filter",
    file: `[Consul]\nhost = localhost\n[Filters "shop"]\nkeys = web\n${two}projKey = shop\nprefix = ld/web\n[Environment "earth"]\nprojKey = shop\nprefix = ld\n`,
    message: `"krypton" and "earth/web" would overwrite each other's flags under prefix "ld/web"`,
  },
  ...["a//b", "pa/", "./b", "x/features"].map((prefix) => ({
    name: `a prefix that Consul does not take: ${prefix}`,
    file: `[Consul]\nhost = localhost\n[Environment "earth"]\nsdkKey = sdk-e\nprefix = ${prefix}\n`,
    message: 'relay.conf:5: "earth" cannot be kept: consulStore: prefix must',
  })),
  {
    name: "a prefix that Consul does not take, in a variable",
    variables: { ...earthVariables, USE_CONSUL: "1", LD_PREFIX_earth: "a//b" },
    message: 'LD_PREFIX_earth: "earth" cannot be kept: consulStore: prefix must',
  },
  {
    name: "the second of two prefixes that Consul does not take",
    file: `[Consul]\nhost = localhost\n[Environment "a"]\nsdkKey = sdk-a\nprefix = a//\n[Environment "b"]\nsdkKey = sdk-b\nprefix = b//\n`,
    message: 'relay.conf:8: "b" cannot be kept: consulStore: prefix must',
  },
  {
    name: "a prefix that Consul does not take, for what is announced",
    file: `[Consul]\nhost = localhost\n[AutoConfig]\nkey = rel-1\nenvDatastorePrefix = a//$CID\n`,
    message: "relay.conf:5: consulStore: prefix must",
  },
  {
    name: "a table that DynamoDB does not take",
    file: `[DynamoDB]\nenabled = true\n[Environment "earth"]\nsdkKey = sdk-e\nprefix = p\ntableName = my table\n`,
    message: 'relay.conf:6: "earth" cannot be kept: table must',
  },
  {
    name: "a table that DynamoDB does not take, for all",
    file: `[DynamoDB]\nenabled = true\ntableName = ab\n[Environment "earth"]\nsdkKey = sdk-e\nprefix = p\n`,
    message: 'relay.conf:3: "earth" cannot be kept: table must',
  },
  {
    name: "a prefix that is too long for DynamoDB",
    file: `[DynamoDB]\nenabled = true\ntableName = flags\n[Environment "earth"]\nsdkKey = sdk-e\nprefix = ${"p".repeat(1100)}\n`,
    message: 'relay.conf:6: "earth" cannot be kept: prefix is too long for a key of DynamoDB',
  },
  {
    name: "EVENTS_SAMPLING_INTERVAL",
    variables: { ...earthVariables, EVENTS_SAMPLING_INTERVAL: "1" },
    message: "EVENTS_SAMPLING_INTERVAL: this variable is no longer supported",
  },
  {
    name: "REDIS_TTL",
    variables: { ...earthVariables, USE_REDIS: "1", REDIS_TTL: "1" },
    message: "REDIS_TTL: this variable is no longer supported; use CACHE_TTL",
  },
  {
    name: "LD_TTL_MINUTES_earth",
    variables: { ...earthVariables, LD_TTL_MINUTES_earth: "1" },
    message: "LD_TTL_MINUTES_earth: this variable is no longer supported; use LD_TTL_earth",
  },
];

export const invalidCases: readonly InvalidCase[] = [...values, ...unreadable, ...conflicts];
