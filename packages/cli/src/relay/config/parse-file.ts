/** Something that is wrong, or worth a warning, and where. */
export interface Problem {
  /** `relay.conf:3` or the name of a variable; absent for what concerns several places. */
  readonly at?: string;
  readonly message: string;
}

/** A line `[Section]` of the file. */
export interface FileHeader {
  readonly section: string;
  /** The name in quotes: `[Environment "production"]`. */
  readonly subsection: string | undefined;
  readonly line: number;
}

/** A line `name = value`, below a header. */
export interface FileEntry extends FileHeader {
  readonly key: string;
  /** Absent when there is no `=`. */
  readonly value: string | undefined;
}

/** What the lines of a file say, and which could not be read. */
export interface ParsedFile {
  readonly headers: readonly FileHeader[];
  readonly entries: readonly FileEntry[];
  readonly problems: readonly { readonly line: number; readonly message: string }[];
}

/** Reads the form of configuration files of git, which is that of ld-relay. One bad line does not hide the others. */
export function parseConfigFile(text: string): ParsedFile {
  return new FileParser(text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n")).parse();
}

const sectionHeader =
  /\[[ \t]*([a-z][a-z\d-]*)[ \t]*(?:"((?:[^"\\\n]|\\["\\])*)"[ \t]*)?\][ \t]*(?:[;#][^\n]*)?(?=\n|$)/iy;
const keyName = /([a-z][a-z\d-]*)[ \t]*/iy;
const escapes: Readonly<Record<string, string>> = { "\\": "\\", '"': '"', n: "\n", t: "\t", "\n": "" };

class FileParser {
  readonly #text: string;
  readonly #headers: FileHeader[] = [];
  readonly #entries: FileEntry[] = [];
  readonly #problems: { line: number; message: string }[] = [];
  #at = 0;
  #line = 1;
  /** Lines below a header that could not be read belong to nothing. */
  #section: FileHeader | "unreadable" | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  parse(): ParsedFile {
    while (this.#at < this.#text.length) {
      this.#skipBlanks();
      const first = this.#text[this.#at];
      if (first === "[") this.#readHeader();
      else if (first !== undefined && first !== "\n" && first !== ";" && first !== "#") this.#readEntry();
      this.#skipLine();
    }
    return { headers: this.#headers, entries: this.#entries, problems: this.#problems };
  }

  #readHeader(): void {
    sectionHeader.lastIndex = this.#at;
    const [all, section, subsection] = sectionHeader.exec(this.#text) ?? [];
    if (all === undefined || section === undefined) {
      this.#section = "unreadable";
      this.#report('a section is written as [Name] or [Name "name"] on a line of its own');
      return;
    }
    this.#at += all.length;
    this.#section = { section, subsection: subsection?.replaceAll(/\\(.)/g, "$1"), line: this.#line };
    this.#headers.push(this.#section);
  }

  #readEntry(): void {
    const line = this.#line;
    keyName.lastIndex = this.#at;
    const [all, key] = keyName.exec(this.#text) ?? [];
    if (all === undefined || key === undefined) {
      this.#report("a line is name = value, [Section], or a comment after # or ;");
      return;
    }
    this.#at += all.length;
    const next = this.#text[this.#at];
    const ends = next === undefined || next === "\n" || next === ";" || next === "#";
    if (!ends && next !== "=") {
      this.#report("there is no = between name and value");
      return;
    }
    const value = ends ? undefined : this.#readValue();
    if (value === malformed || this.#section === "unreadable") return;
    if (this.#section === undefined) this.#report(`${key} stands above the first [Section]`);
    else {
      const { section, subsection } = this.#section;
      this.#entries.push({ section, subsection, key, value, line });
    }
  }

  /** What is between the `=` and the end of the line or a comment, quotes and escapes resolved. */
  #readValue(): string | typeof malformed {
    this.#at++;
    this.#skipBlanks();
    let value = "";
    /** Blanks at the end do not belong to the value, unless a quote or an escape comes after them. */
    let kept = 0;
    let inQuotes = false;
    for (; this.#at < this.#text.length; this.#at++) {
      const one = this.#text[this.#at] ?? "";
      if (one === "\n" || (!inQuotes && (one === ";" || one === "#"))) break;
      if (one === '"') inQuotes = !inQuotes;
      else if (one === "\\") {
        const escaped = this.#text[++this.#at] ?? "";
        const meant = escapes[escaped];
        if (meant === undefined)
          return this.#report('a backslash stands before ", \\, n, t or the end of a line');
        if (escaped === "\n") this.#line++;
        value += meant;
      } else value += one;
      if (one !== " " && one !== "\t") kept = value.length;
    }
    return inQuotes ? this.#report("a quote is not closed on its line") : value.slice(0, kept);
  }

  #skipBlanks(): void {
    while (this.#text[this.#at] === " " || this.#text[this.#at] === "\t") this.#at++;
  }

  #skipLine(): void {
    const end = this.#text.indexOf("\n", this.#at);
    this.#at = end < 0 ? this.#text.length : end + 1;
    this.#line++;
  }

  #report(message: string): typeof malformed {
    this.#problems.push({ line: this.#line, message });
    return malformed;
  }
}

const malformed = Symbol("malformed");
