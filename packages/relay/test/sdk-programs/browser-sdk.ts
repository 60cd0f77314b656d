/** What a test sets in a page. */
export interface BrowserSdkOptions {
  /** The address of the relay, for all that an SDK calls. */
  readonly relay: string;
  readonly envId: string;
  /** The key of the user that the page is for. */
  readonly user: string;
  readonly useReport: boolean;
  /** The signature of the context in secure mode. */
  readonly hash?: string;
}

/** One generation of the browser SDK, as a test in another process drives it: everything is JSON. */
export interface BrowserSdk {
  /** Starts a client; says `"ready"`, or the reason why it is not. */
  start(options: BrowserSdkOptions): Promise<string>;
  allFlags(): Record<string, unknown>;
  variation(key: string, fallback: unknown): unknown;
  /** The value of a flag with its reason. */
  detail(key: string): unknown;
  /** Goes on as another user. */
  identify(user: string, hash?: string): Promise<void>;
  track(key: string, data: unknown): void;
  flush(): Promise<unknown>;
  close(): Promise<void>;
}

declare global {
  interface Window {
    sdk: BrowserSdk;
  }
}
