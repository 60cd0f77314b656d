import type { Section } from "../property.js";
import { duration } from "../quantities.js";
import { boolean, list, logLevel, text } from "../value-types.js";

export const environment = {
  named: true,
  properties: {
    sdkKey: {
      variable: "LD_ENV_",
      type: text,
      secret: "key",
      sets: "environments.NAME.sdkKey",
      about: "The key of server-side SDKs, with which upstream is asked; required.",
    },
    mobileKey: {
      variable: "LD_MOBILE_KEY_",
      type: text,
      secret: "key",
      sets: "environments.NAME.mobileKey",
      about: "The key of mobile SDKs; without it they are not served.",
    },
    envId: {
      variable: "LD_CLIENT_SIDE_ID_",
      type: text,
      sets: "environments.NAME.envId",
      about: "The client-side ID; without it browsers are not served.",
    },
    secureMode: {
      variable: "LD_SECURE_MODE_",
      type: boolean,
      default: "false",
      sets: "environments.NAME.secureMode",
      about: "Whether browsers must prove that the host vouches for their context.",
    },
    prefix: {
      variable: "LD_PREFIX_",
      type: text,
      sets: "prefix of the store",
      about: "What the keys of the environment begin with in a database.",
    },
    tableName: {
      variable: "LD_TABLE_NAME_",
      type: text,
      sets: "table of the store",
      about: "The table of the environment in DynamoDB.",
    },
    allowedOrigin: {
      variable: "LD_ALLOWED_ORIGIN_",
      type: list,
      sets: "environments.NAME.allowedOrigins",
      about: "Origins whose pages may call; not set, all.",
    },
    allowedHeader: {
      variable: "LD_ALLOWED_HEADER_",
      type: list,
      sets: "environments.NAME.allowedHeaders",
      about: "Headers that browsers may send beside those of the SDKs.",
    },
    logLevel: {
      variable: "LD_LOG_LEVEL_",
      type: logLevel,
      sets: "the log",
      about: "The level of lines about this environment; not set, that of `[Main]`.",
    },
    ttl: {
      variable: "LD_TTL_",
      type: duration,
      sets: "environments.NAME.ttl",
      about: "How long PHP SDKs and caches may keep what they have polled.",
    },
    projKey: {
      variable: "LD_PROJ_KEY_",
      type: text,
      sets: "which `[Filters]` hold",
      about: "The project; required of every environment when there are filters.",
    },
  },
} as const satisfies Section;

export const filters = {
  named: true,
  properties: {
    keys: {
      variable: "LD_FILTER_KEYS_",
      type: list,
      sets: "environments.NAME.filters",
      about: "The payload filters of the project that the section is named for.",
    },
  },
} as const satisfies Section;

/** What holds for environments that come from elsewhere; the same variables in both modes. */
const ofAll = {
  envDatastorePrefix: {
    variable: "ENV_DATASTORE_PREFIX",
    type: text,
    sets: "prefix of every store",
    about: "What the keys of an environment begin with in a database; `$CID` stands for its ID.",
  },
  envDatastoreTableName: {
    variable: "ENV_DATASTORE_TABLE_NAME",
    type: text,
    sets: "table of every store",
    about: "The table of an environment in DynamoDB; `$CID` stands for its ID.",
  },
  envAllowedOrigin: {
    variable: "ENV_ALLOWED_ORIGIN",
    type: list,
    sets: "allowedOrigins of every environment",
    about: "Origins whose pages may call.",
  },
  envAllowedHeader: {
    variable: "ENV_ALLOWED_HEADER",
    type: list,
    sets: "allowedHeaders of every environment",
    about: "Headers that browsers may send beside those of the SDKs.",
  },
} as const;

export const autoConfig = {
  properties: {
    key: {
      variable: "AUTO_CONFIG_KEY",
      type: text,
      secret: "key",
      sets: "autoConfig.key",
      about: "Takes the environments from upstream.",
    },
    ...ofAll,
  },
} as const satisfies Section;

export const offlineMode = {
  properties: {
    fileDataSource: {
      variable: "FILE_DATA_SOURCE",
      type: text,
      sets: "offline.file",
      about: "Takes the environments and their flags from an archive; upstream is not asked.",
    },
    fileDataSourceMonitoringInterval: {
      variable: "FILE_DATA_SOURCE_MONITORING_INTERVAL",
      type: duration,
      default: "1s",
      sets: "offline.checkInterval",
      about: "How often the archive is looked at, at least 100ms.",
    },
    ...ofAll,
  },
} as const satisfies Section;
