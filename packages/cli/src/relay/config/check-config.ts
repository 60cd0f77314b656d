import type { Config } from "./config.js";
import type { Problem } from "./parse-file.js";
import type { SectionName } from "./sections.js";

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
    ...databases(config),
    ...places.problems,
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

function listener(config: Config): readonly Problem[] {
  const { tlsEnabled, tlsCert, tlsKey } = config.of("Main");
  return tlsEnabled && (tlsCert === undefined || tlsKey === undefined)
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
      key === undefined && config.isSet("AutoConfig"),
      "must specify auto-configuration key if other auto-configuration properties are set",
    ],
    [
      key !== undefined && hasEnvironments,
      "cannot configure specific environments if auto-configuration is enabled",
      auto,
    ],
    [
      fileDataSource === undefined && config.isSet("OfflineMode"),
      "must specify offline mode filename if other offline mode properties are set",
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

function environments(config: Config): readonly Problem[] {
  return config
    .namesOf("Environment")
    .filter((name) => config.of("Environment", name).sdkKey === undefined)
    .map((name) => ({ message: `SDK key is required for environment ${JSON.stringify(name)}` }));
}

/** The databases that are used, in the order of messages. */
export function usedDatabases(config: Config): readonly ("Redis" | "Consul" | "DynamoDB")[] {
  return (["Redis", "Consul", "DynamoDB"] as const).filter((name) => config.isEnabled(name));
}

function databases(config: Config): readonly Problem[] {
  const used = usedDatabases(config);
  if (used.length > 1)
    return [{ message: `multiple databases are enabled (${used.join(", ")}); only one is allowed` }];
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
  const { host, url } = config.of("Redis");
  if (used.includes("Redis") && !URL.canParse(`redis://${host}:6379`))
    problems.push(problem(config, "invalid Redis hostname", ["Redis", "host"]));
  if (url !== undefined && !/^rediss?:\/\/[^/]/.test(url))
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
    const { prefix, tableName } = config.of("Environment", name);
    if (prefix !== undefined || (isDynamo && tableName !== undefined)) return [];
    const missing = isDynamo ? "prefix or table name" : "prefix";
    return [
      {
        message: `environment ${JSON.stringify(name)} does not have a ${missing} specified for database storage`,
      },
    ];
  });
  const problems = [...(names.length > 1 ? found : []), ...automaticPlaces(config, isDynamo)];
  const suffix = "; this would be an error if multiple environments were configured";
  const warnings = names.length > 1 ? [] : found.map(({ message }) => ({ message: message + suffix }));
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
  if (key !== undefined && !prefix.includes("$CID") && !(isDynamo && table.includes("$CID"))) {
    problems.push({
      message:
        'when using auto-configuration with database storage, database prefix (or, if using DynamoDB, table name) must be specified and must contain "$CID"',
    });
  }
  if (isDynamo && tables.every((one) => one === undefined || one === "")) {
    problems.push({
      message: "TableName property must be specified for DynamoDB, either globally or per environment",
    });
  }
  return problems;
}

function filters(config: Config): readonly Problem[] {
  const projects = config.namesOf("Filters");
  if (projects.length === 0) return [];
  if (config.of("AutoConfig").key !== undefined)
    return [{ message: "cannot configure filters if auto-configuration is enabled" }];
  const owned = config.namesOf("Environment").map((name) => config.of("Environment", name).projKey);
  const problems: Problem[] = [];
  if (owned.includes(undefined))
    problems.push({ message: "when filters are configured, all environments must specify a 'projKey'" });
  for (const project of projects) {
    const { keys = [] } = config.of("Filters", project);
    if (!owned.includes(project)) {
      const message = `filters are configured for project '${project}', but no environment references that project`;
      problems.push(problem(config, message, ["Filters", "keys", project]));
    }
    if (keys.length === 0)
      problems.push({ message: `filter key list for project '${project}' cannot be empty` });
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
  const { url, ntlmAuth, user, password } = config.of("Proxy");
  if (!ntlmAuth) return [];
  const message =
    url === undefined
      ? "cannot specify proxy authentication without a proxy URL"
      : user === undefined || password === undefined
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
  const ports: [SectionName, string, number][] = [["Main", "port", port]];
  if (statusPort !== undefined) ports.push(["Wye", "statusPort", statusPort]);
  if (enabled) ports.push(["Prometheus", "port", metricsPort]);
  if (new Set(ports.map(([, , number]) => number)).size < ports.length) {
    const message = "each listener needs a port of its own";
    problems.push(problem(config, message, ...ports.map(([section, key]) => [section, key] as const)));
  }
  const hasSource =
    config.of("AutoConfig").key !== undefined || config.of("OfflineMode").fileDataSource !== undefined;
  if (!hasSource && config.namesOf("Environment").length === 0)
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
