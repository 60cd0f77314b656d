/** What JavaScript lets anybody pass, by the names under which tables speak of it. */
const nonsense = {
  nothing: undefined,
  null: null,
  true: true,
  number: 5,
  fraction: -1.5,
  NaN: Number.NaN,
  empty: "",
  text: "nonsense",
  symbol: Symbol("nonsense"),
  bigint: 5n,
  list: [],
  nulls: [null],
  object: {},
  bare: Object.create(null) as unknown,
  function: () => {},
  date: new Date(Number.NaN),
} as const satisfies Readonly<Record<string, unknown>>;

type Nonsense = keyof typeof nonsense;

/** One argument of a function, or one member of an argument. */
export interface Place {
  /** What is right for it. */
  readonly right?: unknown;
  /** How errors name it. */
  readonly named: RegExp;
  /** Which of the nonsense is none, with blanks between. */
  readonly takes: string;
  /** Which of it is not tried, because the call would do something. */
  readonly untried?: string;
  /** Its own members. */
  readonly members?: Readonly<Record<string, Omit<Place, "named"> & { readonly named?: RegExp }>>;
}

/** A function, and what it is called with. */
export interface Callable {
  readonly call: (...given: never[]) => unknown;
  readonly places: readonly Place[];
}

/** How a call ended. */
type Outcome = { readonly taken: true } | { readonly taken: false; readonly error: unknown };

/**
 * Calls a function with everything right but one place, for every place and all nonsense. Resolves to what was not as its table says:
 * taken though it is nonsense, refused though it is none, or refused with an error that does not name the place.
 */
export async function wrongCalls({ call, places }: Callable): Promise<readonly string[]> {
  const wrong: string[] = [];
  const right = places.map((place) => place.right);
  const tryPlace = async (path: string, place: Place, given: (value: unknown) => readonly unknown[]) => {
    const taken = new Set(wordsOf(place.takes));
    const untried = wordsOf(place.untried);
    for (const name of Object.keys(nonsense) as Nonsense[]) {
      if (untried.includes(name)) {
        taken.delete(name);
        continue;
      }
      const outcome = await outcomeOf(() => call(...(given(nonsense[name]) as never[])));
      if (outcome.taken !== taken.delete(name))
        wrong.push(`${path} ${outcome.taken ? "takes" : "refuses"} ${name}`);
      if (!outcome.taken && !isNamed(outcome.error, place.named))
        wrong.push(`${path} = ${name}: ${String(outcome.error)}`);
    }
    for (const unknown of taken) wrong.push(`${path}: there is no ${unknown}`);
  };
  for (const [at, place] of places.entries()) {
    await tryPlace(`argument ${at}`, place, (value) => right.with(at, value));
    for (const [name, { named = new RegExp(name), ...member }] of Object.entries(place.members ?? {})) {
      await tryPlace(name, { named, ...member }, (value) =>
        right.with(at, { ...Object(place.right), [name]: value }),
      );
    }
  }
  const outcome = await outcomeOf(() => call(...(right as never[])));
  if (!outcome.taken) wrong.push(`what is right is refused: ${String(outcome.error)}`);
  return wrong;
}

function wordsOf(text = ""): readonly string[] {
  return text.split(" ").filter((word) => word !== "");
}

async function outcomeOf(call: () => unknown): Promise<Outcome> {
  try {
    const made = await call();
    // What runs is ended, and what is only promised is asked for.
    if (isObject(made) && "next" in made && typeof made.next === "function") await made.next();
    if (isObject(made) && "close" in made && typeof made.close === "function") await made.close();
    return { taken: true };
  } catch (error) {
    return { taken: false, error };
  }
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Whether an error is one of ours that says what it is about: a wrong call by its name, or a failure by its code. */
function isNamed(error: unknown, named: RegExp): boolean {
  if (!(error instanceof Error) || !named.test(error.message) || isRaw(error.message)) return false;
  return error instanceof TypeError || (error.name.startsWith("Catalogue") && "code" in error);
}

/** The words of the engine, in which the name may be there by chance. */
function isRaw(message: string): boolean {
  return /is not (?:a function|iterable|defined|a constructor)|Cannot (?:read|destructure|convert|mix|set|use)|must be of type/.test(
    message,
  );
}
