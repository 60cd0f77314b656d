import { keepText, keptText, type TextStorage } from "../text/kept-text.js";
import { hashOf, hasText, textOf } from "../text/shared-text.js";

const storage = (): TextStorage => localStorage;

/** Where a text is from: one that comes with the page, a file, or what was written here or sent in a link. */
export type TextOrigin = "example" | "file" | "written";

/** The text that somebody wrote or was sent: it is not thrown away without asking, and kept over reloads. */
export class OwnText {
  /** What was loaded last, and is elsewhere too. */
  private loaded = "";
  private origin: TextOrigin = "example";

  /** Another text is in the editor now. */
  load(text: string, origin: TextOrigin): void {
    this.origin = origin;
    this.loaded = origin === "written" ? "" : text;
    this.keep(text);
  }

  /** Keeps the text of the editor, unless the page has it anyway. */
  keep(text: string): void {
    keepText(storage, this.origin === "example" && !this.isChanged(text) ? undefined : text);
  }

  /** Whether the text in the editor may go. */
  mayGo(text: string): boolean {
    return !this.isChanged(text) || confirm("Replace the text? What you have changed in it would be gone.");
  }

  private isChanged(text: string): boolean {
    return text !== this.loaded && text.trim() !== "";
  }
}

/** What was kept when the page was last open. */
export function textOfBefore(): string | undefined {
  return keptText(storage);
}

/** Takes the text of a link out of the address; `undefined` if it has none. */
export async function takeLinkedText(onBrokenLink: () => void): Promise<string | undefined> {
  const { hash, pathname, search } = location;
  if (!hasText(hash)) return undefined;
  // A reload is to show what was made of it.
  history.replaceState(null, "", pathname + search);
  const text = await textOf(hash);
  if (text === undefined) onBrokenLink();
  return text;
}

/** Puts a link to this page with the text into the clipboard; tells in a sentence what came of it. */
export async function copyLink(text: string): Promise<string> {
  const hash = await hashOf(text);
  if (hash === undefined) return "The text is too long for a link.";
  const { origin, pathname } = location;
  try {
    await navigator.clipboard.writeText(origin + pathname + hash);
    return "A link with the text is in the clipboard.";
  } catch {
    // Without permission, and without TLS, there is no clipboard: the address bar is always there.
    history.replaceState(null, "", hash);
    return "The address of this page has the text now.";
  }
}

/** Lets the browser save a file. */
export function download(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
