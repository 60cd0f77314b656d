/** What of a page's request is passed on to upstream. */
export type PageHeaders = Readonly<Record<string, string>>;

/** What upstream said about goals, ready to be passed on. */
export interface GoalsAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: Buffer;
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
export function revalidated(kept: GoalsAnswer, { headers, asked }: GoalsAnswer): GoalsAnswer {
  const { age: _, ...before } = kept.headers;
  return { ...kept, headers: { ...before, ...headers }, asked };
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
    const { status, headers } = answer;
    const control = String(headers["cache-control"] ?? "");
    const maxAge = /(?:^|[\s,])max-age=(\d+)/.exec(control)?.[1];
    if (status !== 200 || /no-store|private/.test(control)) return undefined;
    if (maxAge === undefined && headers.etag === undefined) return undefined;
    // Another cache may have had it for a while.
    const made = now - Number(/^\d+$/.exec(String(headers.age))?.[0] ?? 0) * 1000;
    const freshMs = /no-cache/.test(control) ? 0 : Number(maxAge ?? 0) * 1000;
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
