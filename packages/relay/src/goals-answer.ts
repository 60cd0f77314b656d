/** What of a page's request is passed on to upstream. */
export type PageHeaders = Readonly<Record<string, string>>;

/** What upstream said about goals, ready to be passed on. */
export interface GoalsAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: Buffer;
  /** How long it may be kept from when it was made, if upstream says so. */
  readonly lifetimeMs?: number | undefined;
  /** With what upstream was asked. */
  readonly asked: PageHeaders;
  /** Whether it was kept from an earlier request. */
  readonly fromCache: boolean;
}

/** Whether an answer to one page is one to another as well: by itself it is, unless upstream names headers in `Vary`. */
export function isAnswerTo({ headers, asked }: GoalsAnswer, page: PageHeaders): boolean {
  if (asked === page) return true;
  const names = String(headers.vary ?? "")
    .toLowerCase()
    .split(",")
    .map((name) => name.trim());
  return !names.includes("*") && names.every((name) => asked[name] === page[name]);
}

/** What a page got that has asked whether it has changed: what it had, with the headers of now. */
export function revalidated(
  kept: GoalsAnswer,
  { headers, lifetimeMs = kept.lifetimeMs, asked }: GoalsAnswer,
): GoalsAnswer {
  const { age: _, ...before } = kept.headers;
  return { ...kept, headers: { ...before, ...headers }, lifetimeMs, asked };
}

/** How long an answer may be kept: `max-age`, or else the time from `Date` to `Expires`, which is over when either is no moment. */
export function lifetimeOf(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): number | undefined {
  const maxAge = /(?:^|[\s,])max-age="?(\d+)/i.exec(String(headers["cache-control"]))?.[1];
  if (maxAge !== undefined) return Number(maxAge) * 1000;
  if (headers.expires === undefined) return undefined;
  const ms = Date.parse(String(headers.expires)) - Date.parse(String(headers.date));
  return ms > 0 ? ms : 0;
}

/** An answer for as long as upstream allows it to be kept. */
export class KeptGoals {
  readonly answer: GoalsAnswer;
  /** When upstream made it, by the clock that does not jump. */
  readonly #made: number;
  readonly #freshUntil: number;

  private constructor(answer: GoalsAnswer, made: number, freshUntil: number) {
    this.answer = answer;
    this.#made = made;
    this.#freshUntil = freshUntil;
  }

  /** Keeps an answer that may be kept. */
  static of(answer: GoalsAnswer, now: number): KeptGoals | undefined {
    const { status, headers, lifetimeMs } = answer;
    const control = String(headers["cache-control"] ?? "").toLowerCase();
    if (status !== 200 || /no-store|private/.test(control)) return undefined;
    if (lifetimeMs === undefined && headers.etag === undefined) return undefined;
    // Another cache may have had it for a while.
    const made = now - Number(/^\d+$/.exec(String(headers.age))?.[0] ?? 0) * 1000;
    const freshMs = /no-cache/.test(control) ? 0 : (lifetimeMs ?? 0);
    return new KeptGoals(answer, made, made + freshMs);
  }

  isFresh(now: number): boolean {
    return now < this.#freshUntil;
  }

  /** The answer as it is sent again. */
  at(now: number): GoalsAnswer {
    const age = String(Math.floor((now - this.#made) / 1000));
    return { ...this.answer, headers: { ...this.answer.headers, age }, fromCache: true };
  }
}
