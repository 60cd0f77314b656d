const control = "\u001b";
const parts = new RegExp(`${control}\\[[?\\d]*[A-Za-z]|[^]`, "gu");

/** A terminal that understands what the progress view writes, and fails at anything else. */
export class Terminal {
  readonly isTTY = true;
  writableNeedDrain = false;
  writes = 0;
  columns: number;
  rows: number;
  #lines: string[] = [""];
  #row = 0;
  #column = 0;

  constructor(columns: number, rows: number) {
    this.columns = columns;
    this.rows = rows;
  }

  write(text: string, done?: () => void): boolean {
    this.writes++;
    for (const [part] of text.matchAll(parts)) this.#take(part);
    done?.();
    return true;
  }

  /** Makes it narrower: lines that no longer fit go on in the next row, as terminals show them. */
  narrow(columns: number): void {
    this.columns = columns;
    this.#lines = this.#lines.flatMap((line) => {
      const rows = Math.max(1, Math.ceil(line.length / columns));
      return Array.from({ length: rows }, (_, row) => line.slice(row * columns, (row + 1) * columns));
    });
    this.#row = this.#lines.length - 1;
    this.#column = this.#line.length;
  }

  /** What stands there, also what has scrolled away. */
  get text(): string {
    return this.#lines
      .map((line) => line.trimEnd())
      .join("\n")
      .trimEnd();
  }

  #take(part: string): void {
    if (part.startsWith(`${control}[`) && part.endsWith("A")) {
      this.#row -= Number(part.slice(2, -1));
      if (this.#row < Math.max(0, this.#lines.length - this.rows))
        throw new Error("the cursor left the screen");
    } else if (part === "\r") this.#column = 0;
    else if (part === "\n") this.#down();
    else if (part === `${control}[K`) this.#lines[this.#row] = this.#line.slice(0, this.#column);
    else if (part === `${control}[J`) this.#lines.length = this.#row + 1;
    else if (/^.\[(?:\?(?:2026|7)[hl]|\d+m)$/.test(part)) return;
    else if (part.startsWith(control)) throw new Error(`unknown code ${JSON.stringify(part)}`);
    else this.#put(part);
  }

  get #line(): string {
    return this.#lines[this.#row] ?? "";
  }

  #down(): void {
    // A line feed goes to the next row; that it goes to the first column as well is what terminals are set to.
    this.#row++;
    this.#column = 0;
    if (this.#row === this.#lines.length) this.#lines.push("");
  }

  #put(character: string): void {
    if (this.#column >= this.columns) throw new Error(`a line is wider than ${this.columns} columns`);
    const line = this.#line.padEnd(this.#column);
    this.#lines[this.#row] = line.slice(0, this.#column) + character + line.slice(this.#column + 1);
    this.#column++;
  }
}
