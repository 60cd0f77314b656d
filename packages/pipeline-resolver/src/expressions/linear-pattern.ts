import { RE2JS } from "@bufbuild/re2";

/** A regular expression in RE2 syntax. Testing takes time linear in the text. */
export interface LinearPattern {
  /** Instructions of the compiled pattern: a test costs at most this times the length of the text. */
  readonly size: number;
  /** Is there a match anywhere in the text? */
  test(text: string): boolean;
}

/** Compiles a pattern; a wrong one gives the reason as a text. */
export function compilePattern(pattern: string, maxLength: number): LinearPattern | string {
  if (pattern.length > maxLength) {
    return `the pattern is ${pattern.length} characters long, at most ${maxLength} are allowed`;
  }
  try {
    const compiled = new RE2JS(pattern);
    return { size: compiled.re2().prog.numInst(), test: (text) => compiled.test(text) };
  } catch (error) {
    // The engine throws for patterns that RE2 does not know, such as look-behind, and for too many repetitions.
    return error instanceof Error ? error.message.replace("error parsing regexp: ", "") : "invalid";
  }
}
