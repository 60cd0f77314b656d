import type { Config } from "./config.js";
import type { Problem } from "./parse-file.js";
import { propertiesOf, type SectionName, sectionOf } from "./sections.js";

/** What is wrong with values that do not fit each other, in the words and the order of ld-relay; and what is only doubtful. */
export function checkConfig(config: Config): {
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
} {
  const places = missingPlaces(config);
  const problems = [
    ...listener(config),
    ...modes(config),
    ...environments(config),
    ...databaseProblems(config),
    ...filters(config),
    ...limits(config),
    ...proxies(config),
    ...own(config),
  ];
  return { problems, warnings: [...places.warnings, ...unsent(config), ...costly(config)] };
}

/** A problem of several values, with the places where they were set. */
function problem(
  config: Config,
  message: string,
  ...values: readonly (readonly [SectionName, string, string?])[]
): Problem {
  const origins = values.flatMap(([section, key, name]) => config.originsOf(section, key, name));
  return origins.length === 0 ? { message } : { at: [...new Set(origins)].join(", "), message };
}

/** A problem of an environment, at its key or wherever else it is spoken of. */
function ofEnvironment(config: Config, name: string, message: string): Problem {
  const [set] = config.originsOf("Environment", "sdkKey", name);
  const at =
    set ?? config.emptiedAt("Environment", "sdkKey", name) ?? config.firstOriginOf("Environment", name);
  return at === undefined ? { message } : { at, message };
}

function listener(config: Config): readonly Problem[] {
  const { tlsEnabled } = config.of("Main");
  return tlsEnabled && (config.lacks("Main", "tlsCert") || config.lacks("Main", "tlsKey"))
    ? [problem(config, "TLS cert and key are required if TLS is enabled", ["Main", "tlsEnabled"])]
    : [];
}

function modes(config: Config): readonly Problem[] {
  const { key } = config.of("AutoConfig");
  const { fileDataSource } = config.of("OfflineMode");
  const hasEnvironments = config.namesOf("Environment").length > 0;
  const [auto, file] = [["AutoConfig", "key"] as const, ["OfflineMode", "fileDataSource"] as const];
  const found: [boolean, string, ...(readonly [SectionName, string])[]][] = [
    [
      config.lacks("AutoConfig", "key") && config.isSet("AutoConfig"),
      "must specify auto-configuration key if other auto-configuration properties are set",
      ...ofAllEnvironments("AutoConfig"),
    ],
    [
      key !== undefined && hasEnvironments,
      "cannot configure specific environments if auto-configuration is enabled",
      auto,
    ],
    [
      config.lacks("OfflineMode", "fileDataSource") && config.isSet("OfflineMode"),
      "must specify offline mode filename if other offline mode properties are set",
      ...ofAllEnvironments("OfflineMode"),
    ],
    [
      key !== undefined && fileDataSource !== undefined,
      "cannot specify both auto-configuration key and file data source",
      auto,
      file,
    ],
    [
      fileDataSource !== undefined && hasEnvironments,
      "cannot configure specific environments if offline mode is enabled",
      file,
    ],
  ];
  return found.flatMap(([isWrong, message, ...values]) =>
    isWrong ? [problem(config, message, ...values)] : [],
  );
}

function ofAllEnvironments(section: "AutoConfig" | "OfflineMode") {
  return propertiesOf(section).map(([key]) => [section, key] as const);
}

function environments(config: Config): readonly Problem[] {
  return config
    .namesOf("Environment")
    .filter((name) => config.lacks("Environment", "sdkKey", name))
    .map((name) =>
      ofEnvironment(config, name, `SDK key is required for environment ${JSON.stringify(name)}`),
    );
}

/** The databases that are used, in the order of messages. */
export function usedDatabases(config: Config): readonly ("Redis" | "Consul" | "DynamoDB")[] {
  return (["Redis", "Consul", "DynamoDB"] as const).filter((name) => config.isEnabled(name));
}

/** What keeps a database from being used. */
export function databaseProblems(config: Config): readonly Problem[] {
  return [...databases(config), ...missingPlaces(config).problems];
}

function databases(config: Config): readonly Problem[] {
  const used = usedDatabases(config);
  const problems: Problem[] = [];
  if (config.isSet("Redis", "url") && config.isSet("Redis", "host", "port")) {
    problems.push(
      problem(
        config,
        "please specify Redis URL or host/port, but not both",
        ["Redis", "url"],
        ["Redis", "host"],
        ["Redis", "port"],
      ),
    );
  }
  if (used.length > 1) {
    const message = `multiple databases are enabled (${used.join(", ")}); only one is allowed`;
    const switches = used.flatMap((name) =>
      (sectionOf(name).enabledBy ?? []).map((key) => [name, key] as const),
    );
    return [...problems, problem(config, message, ...switches)];
  }
  const { host, url } = config.of("Redis");
  if (used.includes("Redis") && !URL.canParse(`redis://${host}:6379`))
    problems.push(problem(config, "invalid Redis hostname", ["Redis", "host"]));
  if (url !== undefined && !/^rediss?:\/\//.test(url))
    problems.push(problem(config, "must begin with redis:// or rediss://", ["Redis", "url"]));
  const { token, tokenFile } = config.of("Consul");
  if (token !== undefined && tokenFile !== undefined) {
    const message = "Consul token must be specified as either an inline value or a file, but not both";
    problems.push(problem(config, message, ["Consul", "token"], ["Consul", "tokenFile"]));
  }
  return problems;
}

/** Environments that would overwrite each other in a database. */
function missingPlaces(config: Config): ReturnType<typeof checkConfig> {
  const [database, ...others] = usedDatabases(config);
  if (database === undefined || others.length > 0) return { problems: [], warnings: [] };
  const isDynamo = database === "DynamoDB";
  const names = config.namesOf("Environment");
  const found = names.flatMap((name): readonly Problem[] => {
    const lacks = (key: string) => config.lacks("Environment", key, name);
    if (!lacks("prefix") || (isDynamo && !lacks("tableName"))) return [];
    const missing = isDynamo ? "prefix or table name" : "prefix";
    const message = `environment ${JSON.stringify(name)} does not have a ${missing} specified for database storage`;
    return [ofEnvironment(config, name, message)];
  });
  const problems = [...(names.length > 1 ? found : []), ...automaticPlaces(config, isDynamo)];
  const suffix = "; this would be an error if multiple environments were configured";
  const warnings =
    names.length > 1 ? [] : found.map(({ message, ...place }) => ({ ...place, message: message + suffix }));
  return { problems, warnings };
}

function automaticPlaces(config: Config, isDynamo: boolean): readonly Problem[] {
  const { key, envDatastorePrefix: prefix = "", envDatastoreTableName: table = "" } = config.of("AutoConfig");
  const tables = [
    table,
    config.of("OfflineMode").envDatastoreTableName,
    config.of("DynamoDB").tableName,
    ...config.namesOf("Environment").map((name) => config.of("Environment", name).tableName),
  ];
  const problems: Problem[] = [];
  if (
    config.isWhole &&
    key !== undefined &&
    !prefix.includes("$CID") &&
    !(isDynamo && table.includes("$CID"))
  ) {
    const message =
      'when using auto-configuration with database storage, database prefix (or, if using DynamoDB, table name) must be specified and must contain "$CID"';
    const set = isDynamo ? ["envDatastorePrefix", "envDatastoreTableName"] : ["envDatastorePrefix"];
    const isPlaced = config.isSet("AutoConfig", ...set);
    problems.push(
      problem(config, message, ...(isPlaced ? set : ["key"]).map((one) => ["AutoConfig", one] as const)),
    );
  }
  if (config.isWhole && isDynamo && tables.every((one) => one === undefined || one === "")) {
    const message = "TableName property must be specified for DynamoDB, either globally or per environment";
    problems.push(problem(config, message, ["DynamoDB", "enabled"]));
  }
  return problems;
}

function filters(config: Config): readonly Problem[] {
  const projects = config.namesOf("Filters");
  if (projects.length === 0) return [];
  if (config.of("AutoConfig").key !== undefined) {
    const message = "cannot configure filters if auto-configuration is enabled";
    return [problem(config, message, ["AutoConfig", "key"])];
  }
  const names = config.namesOf("Environment");
  const owned = names.map((name) => config.of("Environment", name).projKey);
  const problems: Problem[] = [];
  const ofNone = names.filter((name) => config.lacks("Environment", "projKey", name));
  if (ofNone.length > 0) {
    const message = "when filters are configured, all environments must specify a 'projKey'";
    const keys = ofNone.map((name) => ["Environment", "sdkKey", name] as const);
    problems.push(problem(config, message, ...keys));
  }
  for (const project of projects) {
    const { keys = [] } = config.of("Filters", project);
    if (config.isWhole && !owned.includes(project)) {
      const message = `filters are configured for project '${project}', but no environment references that project`;
      problems.push(problem(config, message, ["Filters", "keys", project]));
    }
    if (keys.length === 0 && config.lacks("Filters", "keys", project)) {
      const at = config.emptiedAt("Filters", "keys", project);
      const message = `filter key list for project '${project}' cannot be empty`;
      problems.push(at === undefined ? { message } : { at, message });
    }
    for (const [index, key] of keys.entries()) {
      if (key.trim() !== "") continue;
      const message = `filter key [${index}] for project '${project}' is malformed (note: lists are comma-delimited)`;
      problems.push(problem(config, message, ["Filters", "keys", project]));
    }
  }
  return problems;
}

const leastIntervalMs = 100;

function limits(config: Config): readonly Problem[] {
  const problems: Problem[] = [];
  if (config.of("OfflineMode").fileDataSourceMonitoringInterval < leastIntervalMs) {
    const message = "file data source monitoring interval must be >= 100ms";
    problems.push(problem(config, message, ["OfflineMode", "fileDataSourceMonitoringInterval"]));
  }
  if (config.of("Main").expiredCredentialCleanupInterval < leastIntervalMs) {
    const message = "expired credential cleanup interval must be >= 100ms";
    problems.push(problem(config, message, ["Main", "expiredCredentialCleanupInterval"]));
  }
  if (config.of("Events").maxInboundPayloadSize <= 0) {
    const message = "max inbound payload size must be greater than zero";
    problems.push(problem(config, message, ["Events", "maxInboundPayloadSize"]));
  }
  return problems;
}

function proxies(config: Config): readonly Problem[] {
  if (!config.of("Proxy").ntlmAuth) return [];
  const lacks = (key: string) => config.lacks("Proxy", key);
  const message = lacks("url")
    ? "cannot specify proxy authentication without a proxy URL"
    : lacks("user") || lacks("password")
      ? "NTLM proxy authentication requires username and password"
      : "NTLM is not supported; put a proxy between that speaks it, such as cntlm";
  return [problem(config, message, ["Proxy", "ntlmAuth"])];
}

/** What ld-relay cannot say. */
function own(config: Config): readonly Problem[] {
  const problems: Problem[] = [];
  const { dataFolder, statusPort } = config.of("Wye");
  if (dataFolder !== undefined && usedDatabases(config).length > 0)
    problems.push(
      problem(config, "flags are kept in a folder or in a database, not in both", ["Wye", "dataFolder"]),
    );
  const { port } = config.of("Main");
  const { enabled, port: metricsPort } = config.of("Prometheus");
  const all: [SectionName, string, number | undefined][] = [
    ["Main", "port", port],
    ["Wye", "statusPort", statusPort],
    ["Prometheus", "port", enabled ? metricsPort : undefined],
  ];
  const ports = all.filter(
    ([section, key, number]) =>
      number !== undefined && (config.isSet(section, key) || config.lacks(section, key)),
  );
  if (new Set(ports.map(([, , number]) => number)).size < ports.length) {
    const message = "each listener needs a port of its own";
    problems.push(problem(config, message, ...ports.map(([section, key]) => [section, key] as const)));
  }
  const hasSource =
    config.of("AutoConfig").key !== undefined || config.of("OfflineMode").fileDataSource !== undefined;
  if (config.isWhole && !hasSource && config.namesOf("Environment").length === 0)
    problems.push({ message: "you must specify at least one environment in your configuration" });
  return problems;
}

function unsent(config: Config): readonly Problem[] {
  const { enabled, prefix } = config.of("Prometheus");
  const unused =
    enabled && prefix !== undefined
      ? [problem(config, "is not used: names of metrics begin with wye_relay_", ["Prometheus", "prefix"])]
      : [];
  const unsentTo = (["Datadog", "Stackdriver"] as const)
    .filter((name) => config.isEnabled(name))
    .map((name) =>
      problem(
        config,
        `metrics are not sent to ${name}: switch Prometheus on and let its agent or a collector read them`,
        [name, "enabled"],
      ),
    );
  return [...unused, ...unsentTo];
}

/** What is well meant from ld-relay, which asks its database only when somebody asks for flags, and costs money here. */
function costly(config: Config): readonly Problem[] {
  const { localTtl = -1 } = config.of("DynamoDB");
  if (!usedDatabases(config).includes("DynamoDB") || localTtl < 0) return [];
  const message =
    "all flags of each environment are read again each time this is over, and DynamoDB charges for what is read: leave it out unless others write what upstream does not tell";
  return [problem(config, message, ["DynamoDB", "localTtl"])];
}
