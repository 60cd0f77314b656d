declare module "devour-client" {
  interface Read {
    readonly data: unknown;
    readonly meta: unknown;
  }
  class DevourClient {
    constructor(options: { apiUrl: string; logger: boolean });
    headers: Record<string, string>;
    define(type: string, fields: object, options: { collectionPath: string }): void;
    findAll(type: string, query?: object): Promise<Read & { readonly data: readonly unknown[] }>;
  }
  export = DevourClient;
}

/** Its own types name their files without extensions, which nobody can follow under `NodeNext`. */
declare module "kitsu-core" {
  export function deserialise(document: object): Promise<{ readonly data: unknown }>;
}
