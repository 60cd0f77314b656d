const key = "wye-pipeline-editor";
/** More would not leave room for what else a site keeps. */
const mostCharacters = 1024 * 1024;

/** What of a browser's storage is used. */
export type TextStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** Keeps the text over reloads. A browser that keeps nothing is no reason to stop: then nothing is kept. */
export function keepText(storage: () => TextStorage, text: string | undefined): void {
  try {
    if (text === undefined || text.length > mostCharacters) storage().removeItem(key);
    else storage().setItem(key, text);
  } catch {
    // Storage may be full, or forbidden.
  }
}

/** The text that was kept last. */
export function keptText(storage: () => TextStorage): string | undefined {
  try {
    return storage().getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}
