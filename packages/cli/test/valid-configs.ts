/** A configuration in both forms, and what holds with it: `Section.key` or `Section "name".key` to the value as it is shown. */
export interface ValidCase {
  readonly name: string;
  readonly file?: string;
  readonly variables?: Readonly<Record<string, string>>;
  readonly holds: Readonly<Record<string, string>>;
  /** What is warned of. */
  readonly warning?: string;
}

/** One environment. */
export const earth = `[Environment "earth"]\nsdkKey = earth-sdk\n`;
/** The same as variables. */
export const earthVariables: Readonly<Record<string, string>> = { LD_ENV_earth: "earth-sdk" };
const both = `[Environment "earth"]
sdkKey = earth-sdk
prefix = earth-
tableName = earth-table
[Environment "krypton"]
sdkKey = krypton-sdk
prefix = krypton-
tableName = krypton-table
`;
const bothVariables = {
  LD_ENV_earth: "earth-sdk",
  LD_PREFIX_earth: "earth-",
  LD_TABLE_NAME_earth: "earth-table",
  LD_ENV_krypton: "krypton-sdk",
  LD_PREFIX_krypton: "krypton-",
  LD_TABLE_NAME_krypton: "krypton-table",
};
const oneWithoutPrefix =
  'environment "earth" does not have a prefix specified for database storage; this would be an error if multiple environments were configured';

const bases: readonly ValidCase[] = [
  {
    name: "every property of the base",
    file: `
[Main]
streamUri = http://stream.example
baseUri = http://base.example
clientSideBaseUri = http://client.example
exitOnError
exitAlways = yes
ignoreConnectionErrors = 1
port = 8333
initTimeout = 1m
heartbeatInterval = 90s
maxClientConnectionTime = 30m
disconnectedStatusTime = 3m
tlsMinVersion = 1.3
logLevel = WARN
bigSegmentsStaleAsDegraded = on
bigSegmentsStaleThreshold = 10m
expiredCredentialCleanupInterval = 100ms
[Events]
sendEvents = true
eventsUri = http://events.example
flushInterval = 2m
capacity = 500
inlineUsers = true
[Environment "earth"]
sdkKey = sdk-98e2b0b4-2688-4a59-9810-1e0e3d798989
mobileKey = mob-98e2b0b4-2688-4a59-9810-1e0e3d798990
envId = earth-env
secureMode = true
prefix = jupiter
allowedOrigin = http://one.example,http://two.example
allowedOrigin = http://three.example
allowedHeader = Timestamp-Valid
logLevel = debug
ttl = 1.5h
`,
    variables: {
      STREAM_URI: "http://stream.example",
      BASE_URI: "http://base.example",
      CLIENT_SIDE_BASE_URI: "http://client.example",
      EXIT_ON_ERROR: "1",
      EXIT_ALWAYS: "yes",
      IGNORE_CONNECTION_ERRORS: "TRUE",
      PORT: "8333",
      INIT_TIMEOUT: "1m",
      HEARTBEAT_INTERVAL: "1m30s",
      MAX_CLIENT_CONNECTION_TIME: "30m",
      DISCONNECTED_STATUS_TIME: "3m",
      TLS_MIN_VERSION: "1.3",
      LOG_LEVEL: "warn",
      BIG_SEGMENTS_STALE_AS_DEGRADED: "true",
      BIG_SEGMENTS_STALE_THRESHOLD: "10m",
      EXPIRED_CREDENTIAL_CLEANUP_INTERVAL: "100ms",
      USE_EVENTS: "1",
      EVENTS_HOST: "http://events.example",
      EVENTS_FLUSH_INTERVAL: "120s",
      EVENTS_CAPACITY: "500",
      EVENTS_INLINE_USERS: "yes",
      LD_ENV_earth: "sdk-98e2b0b4-2688-4a59-9810-1e0e3d798989",
      LD_MOBILE_KEY_earth: "mob-98e2b0b4-2688-4a59-9810-1e0e3d798990",
      LD_CLIENT_SIDE_ID_earth: "earth-env",
      LD_SECURE_MODE_earth: "1",
      LD_PREFIX_earth: "jupiter",
      LD_ALLOWED_ORIGIN_earth: "http://one.example,http://two.example,http://three.example",
      LD_ALLOWED_HEADER_earth: "Timestamp-Valid",
      LD_LOG_LEVEL_earth: "debug",
      LD_TTL_earth: "90m",
    },
    holds: {
      "Main.streamUri": "http://stream.example",
      "Main.baseUri": "http://base.example",
      "Main.clientSideBaseUri": "http://client.example",
      "Main.exitOnError": "true",
      "Main.exitAlways": "true",
      "Main.ignoreConnectionErrors": "true",
      "Main.port": "8333",
      "Main.initTimeout": "1m",
      "Main.heartbeatInterval": "90s",
      "Main.maxClientConnectionTime": "30m",
      "Main.disconnectedStatusTime": "3m",
      "Main.tlsMinVersion": "1.3",
      "Main.logLevel": "warn",
      "Main.bigSegmentsStaleAsDegraded": "true",
      "Main.bigSegmentsStaleThreshold": "10m",
      "Main.expiredCredentialCleanupInterval": "100ms",
      "Events.sendEvents": "true",
      "Events.eventsUri": "http://events.example",
      "Events.flushInterval": "2m",
      "Events.capacity": "500",
      "Events.inlineUsers": "true",
      "Events.maxInboundPayloadSize": "10MiB",
      'Environment "earth".sdkKey': "sdk-****8989",
      'Environment "earth".mobileKey': "mob-****8990",
      'Environment "earth".envId': "earth-env",
      'Environment "earth".secureMode': "true",
      'Environment "earth".prefix': "jupiter",
      'Environment "earth".allowedOrigin': "http://one.example,http://two.example,http://three.example",
      'Environment "earth".allowedHeader': "Timestamp-Valid",
      'Environment "earth".logLevel': "debug",
      'Environment "earth".ttl': "90m",
    },
  },
  {
    name: "nothing but an environment",
    file: earth,
    variables: earthVariables,
    holds: {
      "Main.port": "8030",
      "Main.streamUri": "https://stream.launchdarkly.com",
      "Main.logLevel": "info",
      "Main.tlsMinVersion": "1.2",
      "Events.sendEvents": "false",
      'Environment "earth".sdkKey': "****dk",
    },
  },
  ...["https://sdk.launchdarkly.com", "https://app.launchdarkly.com"].map((base) => ({
    name: `the base ${base}`,
    file: `[Main]\nbaseUri = ${base}\n${earth}`,
    variables: { ...earthVariables, BASE_URI: base },
    holds: { "Main.baseUri": base },
  })),
  ...(
    [
      ["50KB", "50KiB"],
      ["7MiB", "7MiB"],
      ["10GiB", "10GiB"],
      ["1.5kib", "1536B"],
      ["1KiB512B", "1536B"],
    ] as const
  ).map(([written, shown]) => ({
    name: `bodies of ${written}`,
    file: `[Events]\nmaxInboundPayloadSize = ${written}\n${earth}`,
    variables: { ...earthVariables, EVENTS_MAX_INBOUND_PAYLOAD_SIZE: written },
    holds: { "Events.maxInboundPayloadSize": shown },
  })),
  {
    name: "payload filters",
    file: `[Environment "prod"]\nsdkKey = k1\nprojKey = shop\n[Filters "shop"]\nkeys = web, mobile\n`,
    variables: { LD_ENV_prod: "k1", LD_PROJ_KEY_prod: "shop", LD_FILTER_KEYS_shop: "web, mobile" },
    holds: { 'Filters "shop".keys': "web, mobile", 'Environment "prod".projKey': "shop" },
  },
  {
    name: "a proxy",
    file: `[Proxy]\nurl = http://user:secret@proxy.example:3128\n${earth}`,
    variables: { ...earthVariables, PROXY_URL: "http://user:secret@proxy.example:3128" },
    holds: { "Proxy.url": "http://xxxxx:xxxxx@proxy.example:3128/" },
  },
];

const modes: readonly ValidCase[] = [
  {
    name: "automatic configuration",
    file: "[AutoConfig]\nkey = rel-0123456789abcdef\n",
    variables: { AUTO_CONFIG_KEY: "rel-0123456789abcdef" },
    holds: { "AutoConfig.key": "rel-****cdef" },
  },
  {
    name: "automatic configuration with a database and rules",
    file: `[AutoConfig]
key = rel-0123456789abcdef
envDatastorePrefix = prefix-$CID
envDatastoreTableName = table-$CID
envAllowedOrigin = http://origin.example
envAllowedHeader = Timestamp-Valid
[Redis]
url = redis://localhost:6400
`,
    variables: {
      AUTO_CONFIG_KEY: "rel-0123456789abcdef",
      ENV_DATASTORE_PREFIX: "prefix-$CID",
      ENV_DATASTORE_TABLE_NAME: "table-$CID",
      ENV_ALLOWED_ORIGIN: "http://origin.example",
      ENV_ALLOWED_HEADER: "Timestamp-Valid",
      USE_REDIS: "1",
      REDIS_URL: "redis://localhost:6400",
    },
    holds: {
      "AutoConfig.envDatastorePrefix": "prefix-$CID",
      "AutoConfig.envDatastoreTableName": "table-$CID",
      "AutoConfig.envAllowedOrigin": "http://origin.example",
      "AutoConfig.envAllowedHeader": "Timestamp-Valid",
      "Redis.url": "redis://localhost:6400",
    },
  },
  ...["100ms", "1s", "5m"].map((interval) => ({
    name: `offline mode, looked at every ${interval}`,
    file: `[OfflineMode]
fileDataSource = flags.json
fileDataSourceMonitoringInterval = ${interval}
envAllowedOrigin = http://origin.example
`,
    variables: {
      FILE_DATA_SOURCE: "flags.json",
      FILE_DATA_SOURCE_MONITORING_INTERVAL: interval,
      ENV_ALLOWED_ORIGIN: "http://origin.example",
    },
    holds: {
      "OfflineMode.fileDataSource": "flags.json",
      "OfflineMode.fileDataSourceMonitoringInterval": interval,
      "OfflineMode.envAllowedOrigin": "http://origin.example",
    },
  })),
];

const databases: readonly ValidCase[] = [
  {
    name: "Redis without more",
    variables: { ...bothVariables, USE_REDIS: "1" },
    holds: { "Redis.host": "localhost", "Redis.port": "6379" },
  },
  {
    name: "Redis at a host",
    file: `[Redis]\nhost = redis.example\n${both}`,
    variables: { ...bothVariables, USE_REDIS: "1", REDIS_HOST: "redis.example" },
    holds: { "Redis.host": "redis.example", "Redis.port": "6379" },
  },
  {
    name: "Redis with everything",
    file: `[Redis]
host = redis.example
port = 6400
tls = true
username = u
password = p
localTtl = 3s
${both}`,
    variables: {
      ...bothVariables,
      USE_REDIS: "1",
      REDIS_HOST: "redis.example",
      REDIS_PORT: "6400",
      REDIS_TLS: "1",
      REDIS_USERNAME: "u",
      REDIS_PASSWORD: "p",
      CACHE_TTL: "3s",
    },
    holds: {
      "Redis.host": "redis.example",
      "Redis.port": "6400",
      "Redis.tls": "true",
      "Redis.username": "u",
      "Redis.password": "********",
      "Redis.localTtl": "3s",
    },
  },
  {
    name: "Redis by its URL",
    file: `[Redis]\nurl = rediss://:secret@redis.example:6400\n${both}`,
    variables: { ...bothVariables, USE_REDIS: "1", REDIS_URL: "rediss://:secret@redis.example:6400" },
    holds: { "Redis.url": "rediss://:xxxxx@redis.example:6400" },
  },
  {
    name: "Redis on a port",
    file: `[Redis]\nport = 6400\n${both}`,
    variables: { ...bothVariables, USE_REDIS: "1", REDIS_PORT: "6400" },
    holds: { "Redis.host": "localhost", "Redis.port": "6400" },
  },
  {
    name: "Redis in a linked container",
    variables: { ...bothVariables, USE_REDIS: "1", REDIS_PORT: "tcp://redis.example:6400" },
    holds: { "Redis.host": "redis.example", "Redis.port": "6400" },
  },
  {
    name: "Redis for one environment without a prefix",
    file: `[Redis]\nhost = localhost\n${earth}`,
    variables: { ...earthVariables, USE_REDIS: "1" },
    holds: { "Redis.host": "localhost" },
    warning: oneWithoutPrefix,
  },
  {
    name: "Redis that is not used, whatever its variables say",
    variables: { ...bothVariables, REDIS_PORT: "tcp://10.0.0.1:none", CONSUL_PORT: "8500" },
    holds: {},
  },
  {
    name: "Consul without more",
    variables: { ...bothVariables, USE_CONSUL: "1" },
    holds: { "Consul.host": "localhost" },
  },
  {
    name: "Consul with everything but a file",
    file: `[Consul]\nhost = consul.example\ntoken = abc\nlocalTtl = 3s\n${both}`,
    variables: {
      ...bothVariables,
      USE_CONSUL: "1",
      CONSUL_HOST: "consul.example",
      CONSUL_TOKEN: "abc",
      CACHE_TTL: "3s",
    },
    holds: { "Consul.host": "consul.example", "Consul.token": "********", "Consul.localTtl": "3s" },
  },
  {
    name: "Consul with a token in a file",
    file: `[Consul]\nhost = consul.example\ntokenFile = /etc/token\n${both}`,
    variables: {
      ...bothVariables,
      USE_CONSUL: "1",
      CONSUL_HOST: "consul.example",
      CONSUL_TOKEN_FILE: "/etc/token",
    },
    holds: { "Consul.tokenFile": "/etc/token" },
  },
  {
    name: "Consul for one environment without a prefix",
    file: `[Consul]\nhost = localhost\n${earth}`,
    variables: { ...earthVariables, USE_CONSUL: "1" },
    holds: { "Consul.host": "localhost" },
    warning: oneWithoutPrefix,
  },
  {
    name: "DynamoDB with tables of environments",
    file: `[DynamoDB]\nenabled = true\n${both}`,
    variables: { ...bothVariables, USE_DYNAMODB: "true" },
    holds: { "DynamoDB.enabled": "true", 'Environment "krypton".tableName': "krypton-table" },
  },
  {
    name: "DynamoDB with everything",
    file: `[DynamoDB]\nenabled = true\ntableName = flags\nurl = http://localhost:8000\nlocalTtl = 3s\n${both}`,
    variables: {
      ...bothVariables,
      USE_DYNAMODB: "true",
      DYNAMODB_TABLE: "flags",
      DYNAMODB_URL: "http://localhost:8000",
      CACHE_TTL: "3s",
    },
    holds: {
      "DynamoDB.tableName": "flags",
      "DynamoDB.url": "http://localhost:8000",
      "DynamoDB.localTtl": "3s",
    },
    warning: "DynamoDB charges for what is read",
  },
  {
    name: "DynamoDB for one environment without a prefix",
    file: `[DynamoDB]\nenabled = true\ntableName = flags\n${earth}`,
    variables: { ...earthVariables, USE_DYNAMODB: "1", DYNAMODB_TABLE: "flags" },
    holds: { "DynamoDB.tableName": "flags" },
    warning:
      'environment "earth" does not have a prefix or table name specified for database storage; this would be an error if multiple environments were configured',
  },
];

const metrics: readonly ValidCase[] = [
  {
    name: "Datadog without more",
    file: `[Datadog]\nenabled = true\n${earth}`,
    variables: { ...earthVariables, USE_DATADOG: "true" },
    holds: { "Datadog.enabled": "true" },
    warning: "metrics are not sent to Datadog",
  },
  {
    name: "Datadog with everything",
    file: `[Datadog]
enabled = true
prefix = pre-
traceAddr = trace
statsAddr = stats
tag = tag1:value1
tag = tag2:value2
${earth}`,
    variables: {
      ...earthVariables,
      USE_DATADOG: "true",
      DATADOG_PREFIX: "pre-",
      DATADOG_TRACE_ADDR: "trace",
      DATADOG_STATS_ADDR: "stats",
      DATADOG_TAG_tag2: "value2",
      DATADOG_TAG_tag1: "value1",
    },
    holds: {
      "Datadog.prefix": "pre-",
      "Datadog.traceAddr": "trace",
      "Datadog.statsAddr": "stats",
      "Datadog.tag": "tag1:value1,tag2:value2",
    },
    warning: "metrics are not sent to Datadog",
  },
  {
    name: "Stackdriver with everything",
    file: `[Stackdriver]\nenabled = true\nprefix = pre-\nprojectID = proj\n${earth}`,
    variables: {
      ...earthVariables,
      USE_STACKDRIVER: "true",
      STACKDRIVER_PREFIX: "pre-",
      STACKDRIVER_PROJECT_ID: "proj",
    },
    holds: { "Stackdriver.prefix": "pre-", "Stackdriver.projectID": "proj" },
    warning: "metrics are not sent to Stackdriver",
  },
  {
    name: "Prometheus without more",
    file: `[Prometheus]\nenabled = true\n${earth}`,
    variables: { ...earthVariables, USE_PROMETHEUS: "true" },
    holds: { "Prometheus.enabled": "true", "Prometheus.port": "8031" },
  },
  {
    name: "Prometheus with everything",
    file: `[Prometheus]\nenabled = true\nprefix = pre-\nport = 8333\n${earth}`,
    variables: {
      ...earthVariables,
      USE_PROMETHEUS: "true",
      PROMETHEUS_PREFIX: "pre-",
      PROMETHEUS_PORT: "8333",
    },
    holds: { "Prometheus.port": "8333", "Prometheus.prefix": "pre-" },
    warning: "names of metrics begin with wye_relay_",
  },
];

export const validCases: readonly ValidCase[] = [...bases, ...modes, ...databases, ...metrics];
