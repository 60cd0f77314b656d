import { didYouMean } from "@wye/pipeline-spec";
import { expect, test } from "vitest";
import { readConfig } from "./load-config.js";

// What does not fit, each time all of it: where it was set, and in which words it is told.

const a = '[Environment "a"]\nsdkKey = A\n';
const b = '[Environment "b"]\nsdkKey = B\n';
const redis = "[Redis]\nhost = h\n";
const dynamo = "[DynamoDB]\nenabled = true\n";
const tls = "TLS cert and key are required if TLS is enabled";
const lone = "; this would be an error if multiple environments were configured";
const noPrefix = (name: string) =>
  `environment "${name}" does not have a prefix specified for database storage`;
const noPlace = (name: string) =>
  `environment "${name}" does not have a prefix or table name specified for database storage`;
const noId =
  'when using auto-configuration with database storage, database prefix (or, if using DynamoDB, table name) must be specified and must contain "$CID"';
const noTable = "TableName property must be specified for DynamoDB, either globally or per environment";
const noUser = "NTLM proxy authentication requires username and password";
const ports = "each listener needs a port of its own";
const twoAddresses = "please specify Redis URL or host/port, but not both";
const unreadable = 'a section is written as [Name] or [Name "name"] on a line of its own';
const monitoring = "[OfflineMode]\nfileDataSource = f\nfileDataSourceMonitoringInterval = ";

test.each<[text: string, ...said: string[]]>([
  [`${a}[Main]\ntlsEnabled = true\n`, `f:4: ${tls}`],
  [`${a}[Main]\ntlsEnabled = true\ntlsCert = c\n`, `f:4: ${tls}`],
  [`${a}[Main]\ntlsKey = k\ntlsEnabled = true\n`, `f:5: ${tls}`],
  [`${a}[Main]\ntlsEnabled = true\ntlsKey = k\ntlsCert = c\n`],
  [`${a}[Main]\ntlsKey = k\n`],
  [
    `${a}[AutoConfig]\nenvAllowedOrigin = o\nenvDatastorePrefix = p\n`,
    "f:5, f:4: must specify auto-configuration key if other auto-configuration properties are set",
  ],
  [
    `${a}[AutoConfig]\nkey = rel\n`,
    "f:4: cannot configure specific environments if auto-configuration is enabled",
  ],
  [
    `${a}[OfflineMode]\nenvAllowedOrigin = o\nenvDatastorePrefix = p\n`,
    "f:5, f:4: must specify offline mode filename if other offline mode properties are set",
  ],
  [
    `${a}[OfflineMode]\nfileDataSource = f\n`,
    "f:4: cannot configure specific environments if offline mode is enabled",
  ],
  [
    "[AutoConfig]\nkey = rel\n[OfflineMode]\nfileDataSource = f\n",
    "f:2, f:4: cannot specify both auto-configuration key and file data source",
  ],
  [
    '[Environment "a"]\nmobileKey = m\n[Environment "b"]\nenvId = m\nsdkKey =\n',
    'f:2: SDK key is required for environment "a"',
    'f:5: SDK key is required for environment "b"',
  ],
  ["[Main]\nport = 9\n", "nowhere: you must specify at least one environment in your configuration"],
  ["[Main\nport = 9\n", `f:1: ${unreadable}`],
])("modes and environments: %j", says);

test.each<[text: string, ...said: string[]]>([
  [`${a}prefix = p\n[Redis]\nurl = redis://r\nhost = h\n`, `f:5, f:6: ${twoAddresses}`],
  [`${a}prefix = p\n[Redis]\nport = 1\nurl = redis://r\n`, `f:6, f:5: ${twoAddresses}`],
  [
    `${a}${redis}[Consul]\nhost = h\n${dynamo}`,
    "f:4, f:6, f:8: multiple databases are enabled (Redis, Consul, DynamoDB); only one is allowed",
  ],
  [`${a}prefix = p\n[Redis]\nhost = "a b"\n`, "f:5: invalid Redis hostname"],
  [`${a}prefix = p\n[Redis]\nurl = http://r\n`, "f:5: must begin with redis:// or rediss://"],
  [`${a}prefix = p\n[Redis]\nurl = redis:///r\n`, "f:5: url: not a valid URL/URI"],
  [`${a}prefix = p\n[Redis]\nurl = xredis://r\n`, "f:5: must begin with redis:// or rediss://"],
  [`${a}prefix = p\n[Redis]\nurl = rediss://r\n`],
  [
    `${a}prefix = p\n[Consul]\nhost = h\ntoken = t\ntokenFile = f\n`,
    "f:6, f:7: Consul token must be specified as either an inline value or a file, but not both",
  ],
  [`${a}prefix = p\n[Consul]\nhost = h\ntoken = t\n`],
  [`${a}prefix = p\n[Consul]\nhost = h\ntokenFile = f\n`],
  [`${a}${b}${redis}`, `f:2: ${noPrefix("a")}`, `f:4: ${noPrefix("b")}`],
  [`${a}${b}prefix = p\n${redis}`, `f:2: ${noPrefix("a")}`],
  [`${a}${b}${redis}[Main\n`, `f:7: ${unreadable}`],
  [`${a}${redis}`, `warning f:2: ${noPrefix("a")}${lone}`],
  [`${a}${b}${dynamo}`, `f:2: ${noPlace("a")}`, `f:4: ${noPlace("b")}`, `f:6: ${noTable}`],
  [`${a}${b}${dynamo}tableName = t\n`, `f:2: ${noPlace("a")}`, `f:4: ${noPlace("b")}`],
  [`${a}prefix = p\n${b}tableName = t\n${dynamo}`],
  [`${a}prefix = p\n${dynamo}`, `f:5: ${noTable}`],
  [`${a}prefix = p\n${dynamo}[Main\n`, `f:6: ${unreadable}`],
  [`[AutoConfig]\nkey = rel\n${redis}`, `f:2: ${noId}`],
  [`[AutoConfig]\nkey = rel\n${redis}[Main\n`, `f:5: ${unreadable}`],
  [`[AutoConfig]\nkey = rel\nenvDatastorePrefix = p\nenvDatastoreTableName = $CID\n${redis}`, `f:3: ${noId}`],
  [`[AutoConfig]\nkey = rel\nenvDatastorePrefix = p$CID\n${redis}`],
  [
    `[AutoConfig]\nkey = rel\nenvDatastorePrefix = p\nenvDatastoreTableName = t\n${dynamo}`,
    `f:3, f:4: ${noId}`,
  ],
  [`[AutoConfig]\nkey = rel\nenvDatastoreTableName = t$CID\n${dynamo}`],
  [`[AutoConfig]\nkey = rel\nenvDatastorePrefix = $CID\n${dynamo}`, `f:5: ${noTable}`],
  [`[OfflineMode]\nfileDataSource = f\nenvDatastoreTableName = t\n${dynamo}`],
  [`[OfflineMode]\nfileDataSource = f\n${dynamo}`, `f:4: ${noTable}`],
  [
    `${a}prefix = p\n[Wye]\ndataFolder = d\n${redis}`,
    "f:5: flags are kept in a folder or in a database, not in both",
  ],
  [`${a}prefix = p\n[Wye]\ndataFolder = d\n`],
])("databases: %j", says);

test.each<[text: string, ...said: string[]]>([
  [
    '[AutoConfig]\nkey = rel\n[Filters "p"]\nkeys = a\n',
    "f:2: cannot configure filters if auto-configuration is enabled",
  ],
  [
    `${a}${b}projKey = q\n[Filters "p"]\nkeys = a, ,b,\n[Filters "q"]\nkeys =\n`,
    "f:2: when filters are configured, all environments must specify a 'projKey'",
    "f:7: filters are configured for project 'p', but no environment references that project",
    "f:7: filter key [1] for project 'p' is malformed (note: lists are comma-delimited)",
    "f:7: filter key [3] for project 'p' is malformed (note: lists are comma-delimited)",
    "f:9: filter key list for project 'q' cannot be empty",
  ],
  [`${a}${b}[Filters "p"]\nkeys = a\n[Main\n`, `f:7: ${unreadable}`],
  [`${a}projKey = p\n[Filters "p"]\nkeys = a,b\n`],
])("filters: %j", says);

test.each<[text: string, ...said: string[]]>([
  [`${monitoring}99ms\n`, "f:3: file data source monitoring interval must be >= 100ms"],
  [`${monitoring}100ms\n`],
  [
    `${a}[Main]\nexpiredCredentialCleanupInterval = 99ms\n`,
    "f:4: expired credential cleanup interval must be >= 100ms",
  ],
  [`${a}[Main]\nexpiredCredentialCleanupInterval = 100ms\n`],
  [`${a}[Events]\nmaxInboundPayloadSize = 0B\n`, "f:4: max inbound payload size must be greater than zero"],
  [`${a}[Events]\nmaxInboundPayloadSize = 1B\n`],
  [
    `${a}[Proxy]\nntlmAuth = true\nuser = u\npassword = p\n`,
    "f:4: cannot specify proxy authentication without a proxy URL",
  ],
  [`${a}[Proxy]\nurl = http://p\nntlmAuth = true\npassword = p\n`, `f:5: ${noUser}`],
  [`${a}[Proxy]\nurl = http://p\nntlmAuth = true\nuser = p\n`, `f:5: ${noUser}`],
  [
    `${a}[Proxy]\nurl = http://p\nntlmAuth = true\nuser = p\npassword = q\n`,
    "f:5: NTLM is not supported; put a proxy between that speaks it, such as cntlm",
  ],
  [`${a}[Proxy]\nurl = http://p\nuser = p\npassword = q\n`],
  [`${a}[Main]\nport = 8031\n[Prometheus]\nenabled = true\n`, `f:4: ${ports}`],
  [`${a}[Main]\nport = 8031\n`],
  [`${a}[Prometheus]\nenabled = true\nport = 8030\n`, `f:5: ${ports}`],
  [`${a}[Prometheus]\nport = 8030\n`],
  [`${a}[Main]\nport = 9\n[Wye]\nstatusPort = 9\n`, `f:4, f:6: ${ports}`],
  [`${a}[Wye]\nstatusPort = 8031\n[Prometheus]\nenabled = true\n`, `f:4: ${ports}`],
  [`${a}[Wye]\nstatusPort = 8031\n`],
  [`${a}[Main]\nport = x\n[Wye]\nstatusPort = 8030\n`, "f:4: port: not a valid integer"],
])("limits, proxies and ports: %j", says);

test.each<[text: string, ...said: string[]]>([
  [
    `${a}[Prometheus]\nenabled = true\nprefix = x\n`,
    "warning f:5: is not used: names of metrics begin with wye_relay_",
  ],
  [`${a}[Prometheus]\nprefix = x\n`],
  [`${a}[Prometheus]\nenabled = true\n`],
  [
    `${a}[Datadog]\nenabled = true\n[Stackdriver]\nenabled = true\n`,
    "warning f:4: metrics are not sent to Datadog: switch Prometheus on and let its agent or a collector read them",
    "warning f:6: metrics are not sent to Stackdriver: switch Prometheus on and let its agent or a collector read them",
  ],
])("what is only doubtful: %j", says);

function says(text: string, ...expected: readonly string[]): void {
  const { problems, warnings } = readConfig({ file: { text, name: "f" } }, didYouMean);
  const lines = (list: typeof problems) => list.map(({ at = "nowhere", message }) => `${at}: ${message}`);
  expect([...lines(problems), ...lines(warnings).map((line) => `warning ${line}`)]).toEqual(expected);
}
