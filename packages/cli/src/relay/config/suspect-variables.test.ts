import { didYouMean } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { suspectVariables } from "./suspect-variables.js";

/** What is said of variables that are set together, in an order of their own. */
const said = (names: readonly string[], environments: readonly string[] = ["earth"]) =>
  suspectVariables(names, environments, didYouMean).map(({ at, message }) => `${at} ${message}`);

const meant = (name: string, other: string) => [`${name} is not known; did you mean ${other}?`];

describe("names of the same beginning", () => {
  test.each([
    ["EVENTS_CAPACTIY", "EVENTS_CAPACITY"],
    ["events_capactiy", "EVENTS_CAPACITY"],
    ["REDIS_PASWORD", "REDIS_PASSWORD"],
    ["TLS_CRET", "TLS_CERT"],
    ["WYE_DATA_FODLER", "WYE_DATA_FOLDER"],
    ["EVENTS_CAPACI", "EVENTS_CAPACITY"],
  ])("%s is near %s", (name, other) => expect(said([name])).toEqual(meant(name, other)));

  test.each([
    "EVENTS_ANYTHING_ELSE",
    "EVENTS_CAPAC",
    "REDIS_URLS_OF_ALL",
    "XEVENTS_CAPACTIY",
    "TLS_CRET_OF_OURS",
  ])("%s is near nothing", (name) => expect(said([name])).toEqual([]));
});

describe("names with a letter too many or too few, or with other lines between", () => {
  test.each([
    ["HEARTBEATINTERVAL", "HEARTBEAT_INTERVAL"],
    ["HEART_BEAT_INTERVAL", "HEARTBEAT_INTERVAL"],
    ["EARTBEAT_INTERVAL", "HEARTBEAT_INTERVAL"],
    ["HEARTBEAT_INTERVALS", "HEARTBEAT_INTERVAL"],
    ["XHEARTBEAT_INTERVAL", "HEARTBEAT_INTERVAL"],
    ["HEARTBEATXINTERVAL", "HEARTBEAT_INTERVAL"],
    ["LOGLEVELS", "LOG_LEVEL"],
    ["BASEURI", "BASE_URI"],
    ["EVENTSHOST", "EVENTS_HOST"],
    ["streamUri", "STREAM_URI"],
  ])("%s is %s", (name, other) => expect(said([name])).toEqual(meant(name, other)));

  test.each(["XHEARTBEAT_INTERVALX", "HEARTBEAT", "BASEURIS", "POTR", "PORTS", "LOG_FORMAT", "logFormat"])(
    "%s is nothing",
    (name) => expect(said([name])).toEqual([]),
  );
});

describe("names of an environment", () => {
  test.each([
    ["LD_MOBILEKEY_x", "LD_MOBILE_KEY_x"],
    ["LD_MOBIL_KEY_x", "LD_MOBILE_KEY_x"],
    ["LD_ALLOWEDORIGIN_a_b", "LD_ALLOWED_ORIGIN_a_b"],
    ["LD_SECUREMODE_x", "LD_SECURE_MODE_x"],
    ["LD_ENVV_x", "LD_ENV_x"],
    ["LD_FILTER_KEY_p", "LD_FILTER_KEYS_p"],
  ])("%s is %s", (name, other) => expect(said([name])).toEqual(meant(name, other)));

  test("need a name, each of them", () => {
    for (const name of ["LD_ENV_", "LD_PREFIX_", "LD_FILTER_KEYS_", "DATADOG_TAG_"])
      expect(said([name])).toEqual([
        `${name} means nothing without a name behind it, as in ${name}production`,
      ]);
  });

  test("that is there are told to whoever misses one", () => {
    const there =
      /^LD_NONSENSE_OF_US_earth is not known; for the environment "earth" there are LD_ENV_earth, LD_MOBILE_KEY_earth, /;
    expect(said(["LD_NONSENSE_OF_US_earth"])).toEqual([expect.stringMatching(there)]);
    expect(said(["LD_NONSENSE_OF_US_moon", "NONSENSE_OF_US_earth", "LD_NONSENSE_OF_USearth"])).toEqual([]);
    expect(said(["LD_NONSENSE_OF_US_moon"], ["earth", "moon"])).toHaveLength(1);
  });

  test("with an ID are no SDK keys", () => {
    const other = 'is the SDK key of an environment "ID_earth"; the ID of "earth" is LD_CLIENT_SIDE_ID_earth';
    expect(said(["LD_ENV_ID_earth"])).toEqual([`LD_ENV_ID_earth ${other}`]);
    expect(said(["LD_ENV_id_earth"])).toEqual([`LD_ENV_id_earth ${other.replace("ID_earth", "id_earth")}`]);
    for (const name of ["LD_EID_earth2", "LD_ENID_earth2", "LD_ENid_earth2"])
      expect(said([name])).toEqual([]);
    expect(said(["LD_ENV_ID_moon", "LD_ENV_ID_", "LD_ENV_XID_earth", "LD_PREFIX_ID_earth"])).toEqual([]);
  });
});

test("what is set already is not meant, and what is known, obsolete or of others is nobody's mistake", () => {
  expect(said(["HEARTBEATINTERVAL", "HEARTBEAT_INTERVAL"])).toEqual([]);
  expect(said(["LD_MOBILEKEY_moon", "LD_MOBILE_KEY_moon"])).toEqual([]);
  expect(said(["LD_MOBILEKEY_earth", "LD_MOBILE_KEY_earth"])).toEqual([
    expect.stringMatching(/^LD_MOBILEKEY_earth is not known; for the environment "earth" there are /),
  ]);
  const own = [
    "PORT",
    "USE_EVENTS",
    "LD_ENV_x",
    "LD_TTL_x",
    "LD_FILTER_KEYS_p",
    "DATADOG_TAG_x",
    "CACHE_TTL",
  ];
  const obsolete = ["EVENTS_SAMPLING_INTERVAL", "REDIS_TTL", "LD_TTL_MINUTES_x"];
  const others = [
    "REDIS_PORT_6379_TCP",
    "EVENTS_SERVICE_HOST",
    "EVENTS_SERVICE_PORT",
    "XREDIS_PORT",
    "LD_LIBRARY_PATH",
  ];
  expect(said([...own, ...obsolete, ...others])).toEqual([]);
  expect(said(["EVENTS_SAMPLING_INTERVALS"])).toEqual([]);
  expect(said(["LD_LIBRARY_PATH"], ["PATH"])).toEqual([]);
});

test("each is told of for itself, in their order", () => {
  expect(said(["PATH", "LOGLEVEL", "LD_ENV_x", "BASEURI"])).toEqual([
    ...meant("LOGLEVEL", "LOG_LEVEL"),
    ...meant("BASEURI", "BASE_URI"),
  ]);
});
