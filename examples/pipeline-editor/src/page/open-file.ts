/** More than anybody types; the editor would take it, but be slow. */
const mostBytes = 8 * 1024 * 1024;

/** Hears of files. */
export interface FileEvents {
  readonly onText: (text: string) => void;
  /** Told in a sentence why a file is not taken. */
  readonly onRefusal: (why: string) => void;
}

/** Lets files in by a button and by dropping them anywhere on the page. */
export function letFilesIn(
  button: HTMLElement,
  input: HTMLInputElement,
  { onText, onRefusal }: FileEvents,
): void {
  const read = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    if (file.size > mostBytes) {
      onRefusal(`${file.name} has more than 8 MB: too much to edit here.`);
      return;
    }
    try {
      onText(await file.text());
    } catch {
      // Such as a folder, or a file that is gone by now.
      onRefusal(`${file.name} could not be read.`);
    }
  };
  button.addEventListener("click", () => input.click());
  input.addEventListener("change", () => {
    void read(input.files?.[0]);
    // Or the same file could not be opened again.
    input.value = "";
  });
  letFilesBeDropped((file) => void read(file));
}

function letFilesBeDropped(onFile: (file: File | undefined) => void): void {
  const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") === true;
  const { body } = document;
  // Before the editor, which would put the file in at the place where it was dropped.
  const early = { capture: true };
  body.addEventListener(
    "dragover",
    (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      body.classList.add("dropping");
    },
    early,
  );
  body.addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) body.classList.remove("dropping");
  });
  body.addEventListener(
    "drop",
    (event) => {
      body.classList.remove("dropping");
      if (!hasFiles(event)) return;
      event.preventDefault();
      event.stopPropagation();
      onFile(event.dataTransfer?.files[0]);
    },
    early,
  );
}
