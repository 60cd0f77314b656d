const quotedOperand = /'((?:int|double|string)\()?(inputs\.parameter_values\['[^']*'\])(\))?'/;

/**
 * What to do about texts that compilers are known to write wrongly: operands in quotes, and quotes inside of texts. Asked
 * only for expressions that cannot be read.
 */
export function syntaxHint(text: string): string | undefined {
  const quoted = quotedOperand.exec(text);
  if (quoted) {
    const [whole = "", call = "", access = "", close = ""] = quoted;
    const intended = text.replace(whole, call + access + close);
    return `the operand must not stand in quotes: ${intended}`;
  }
  if (/^\s*'.*'.+'\s*$|[=<>]\s*'[^']*'[^'=<>&|)]*'\s*$/.test(text)) {
    return "a quote inside a text is written \\'";
  }
  if (/\b(?:and|or|not)\b/i.test(text)) return "CEL writes && for and, || for or, ! for not";
  return /[^=!<>]=[^=]/.test(text) ? "CEL compares with ==" : undefined;
}
