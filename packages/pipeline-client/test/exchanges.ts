import { readdirSync, readFileSync } from "node:fs";

/** A part of a multipart body. */
export interface FormPart {
  readonly headers: Readonly<Record<string, string>>;
  readonly text?: string;
  readonly base64?: string;
}

/** A request and what a server answered. */
export interface Exchange {
  readonly step: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    /** Still encoded. */
    readonly query?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
    readonly text?: string;
    readonly form?: readonly FormPart[];
  };
  readonly response: {
    readonly status: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
    readonly text?: string;
  };
}

/** Exchanges that belong together. */
export interface Recording {
  readonly id: string;
  readonly title: string;
  readonly server: string;
  readonly exchanges: readonly Exchange[];
}

const folder = new URL("../testdata/exchanges/", import.meta.url);

/** Everything that was recorded. */
export const recordings: readonly Recording[] = readdirSync(folder)
  .filter((name) => name.endsWith(".json"))
  .sort()
  .map((name) => ({
    id: name.replace(".json", ""),
    ...JSON.parse(readFileSync(new URL(name, folder), "utf8")),
  }));

const boundary = "recorded-boundary";

/** The bytes of a recorded body; undefined when there was none. */
export function bodyOf(
  { body, text, form }: Exchange["request"],
  print: (value: unknown) => string = JSON.stringify,
): Buffer | undefined {
  if (text !== undefined) return Buffer.from(text);
  if (body !== undefined) return Buffer.from(print(body));
  if (form === undefined) return undefined;
  const parts = form.map(({ headers, text, base64 }) => {
    const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const content = base64 === undefined ? Buffer.from(text ?? "") : Buffer.from(base64, "base64");
    return Buffer.concat([
      Buffer.from(`--${boundary}\r\n${head.join("")}\r\n`),
      content,
      Buffer.from("\r\n"),
    ]);
  });
  return Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]);
}

/** The content type of a recorded body. */
export function contentTypeOf({ headers, form }: Exchange["request"]): string {
  return form === undefined
    ? (headers?.["content-type"] ?? "application/json")
    : `multipart/form-data; boundary=${boundary}`;
}
