import type { Duration, PlaceTemplate } from "@wye/relay";
import type { Dispatcher } from "undici";

/** Where flags are kept. */
export interface ConsulOptions {
  /** The HTTP interface of an agent, with user and password if a proxy before it asks for them. Default: `http://localhost:8500`. */
  readonly address?: string;
  /**
   * The ACL token; a function is asked for every request, for tokens in files that change, like
   * `() => readFile("/run/secrets/token", "utf8")`: blanks and line breaks around it do not count. Default: none.
   */
  readonly token?: string | (() => string | Promise<string>);
  /** Another data centre than the agent's. */
  readonly datacenter?: string;
  /**
   * What all keys begin with, before a slash; `$CID` stands for the client-side ID, with the filter if there is one. Two
   * environments must not share a prefix. Default: `launchdarkly`, and `launchdarkly/FILTER` for a payload filter.
   */
  readonly prefix?: PlaceTemplate;
  /** How connections are made: own certificates, a proxy. Default: an agent of the store's own, which ends with it. */
  readonly dispatcher?: Dispatcher;
  /**
   * After this time what is kept is read again, so that what other writers have changed is served. Default: never, because
   * upstream tells this relay of every change.
   */
  readonly cacheTtl?: Duration;
}
