const quotedOperand = /'((?:int|double|string)\()?(inputs\.parameter_values\['[^']*'\])(\))?'/;

/**
 * What to do about texts that compilers and people are known to write wrongly, such as operands in quotes or the signs of other
 * languages. Asked only for expressions that cannot be read.
 */
export function syntaxHint(text: string): string | undefined {
  if (text.includes("{{")) {
    const [, name = "name"] = /inputs\.parameters\['([^']*)'\]/.exec(text) ?? [];
    return `expressions know no placeholders: inputs.parameter_values['${name}']`;
  }
  const quoted = quotedOperand.exec(text);
  if (quoted) {
    const [whole = "", call = "", access = "", close = ""] = quoted;
    // A value that the compiler has put in quotes as well.
    const intended = text
      .replace(whole, call + access + close)
      .replace(/(?<=[=<>] *)'(true|false|-?\d+(?:\.\d+)?)'/g, "$1");
    return `the operand must not stand in quotes: ${intended}`;
  }
  if (/^\s*'.*'.+'\s*$|[=<>]\s*'[^']*'[^'=<>&|)]*'\s*$/.test(text)) {
    return "a quote inside a text is written \\'";
  }
  if (/\bin *\(/.test(text)) return "a list stands in brackets: in ['a', 'b']";
  if (/\b(?:and|or|not)\b/i.test(text)) return "CEL writes && for and, || for or, ! for not";
  return /[^=!<>]=[^=]|===|!==|<>|\bis\b/.test(text) ? "CEL compares with == and !=" : undefined;
}
