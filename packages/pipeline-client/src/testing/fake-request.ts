/** A request to a fake server, read to its end. */
export interface FakeRequest {
  readonly method: string;
  /** Without the prefix of the installation, still encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** With names in small letters. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** What a fake server answers. */
export interface FakeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A route of a fake server: the parts of its path that were named, decoded, and who handles it. */
export interface Route {
  readonly method: string;
  readonly pattern: RegExp;
  /** Gives the body, as JSON. */
  readonly handle: (request: FakeRequest, parts: readonly string[]) => unknown | Promise<unknown>;
}
