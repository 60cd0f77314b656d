import { type ErrorCode, type ErrorObject, errorKinds } from "../../error-document.js";

/** A request that is answered with an error document. */
export interface Refusal {
  readonly status: number;
  readonly errors: readonly ErrorObject[];
  readonly headers: Readonly<Record<string, string>>;
}

/** What an error says beyond its code. */
export type ErrorDetails = Partial<Omit<ErrorObject, "status" | "code">>;

/** Refuses a request, for one reason or for several of one kind. */
export function refuse(
  code: ErrorCode,
  details: ErrorDetails | readonly ErrorDetails[] = {},
  headers: Readonly<Record<string, string>> = {},
): Refusal {
  const { status, title } = errorKinds[code];
  const list: readonly ErrorDetails[] = Array.isArray(details) ? details : [details];
  return { status, errors: list.map((one) => ({ status: String(status), code, title, ...one })), headers };
}

/** Tells a refusal from what else a step may come to. */
export function isRefusal(value: object | undefined): value is Refusal {
  return value !== undefined && "errors" in value;
}
