/** What a stream carries: flags for servers in two forms, pings, or the evaluated flags of one context. */
export type Channel = "all" | "flags" | "ping" | "client";
