import { type ParsedElement, parseContainerElement } from "./container-element.js";
import { parseVariables, type VariableText } from "./expand-variables.js";
import { parsePlaceholders, type Template } from "./parse-placeholders.js";

/** The texts of one message, each read once, however often the message is resolved. */
export class ParsedTexts {
  readonly #templates = new Map<string, Template>();
  readonly #elements = new Map<string, ParsedElement>();
  readonly #variables = new Map<string, VariableText>();

  template(text: string): Template {
    return remember(this.#templates, text, parsePlaceholders);
  }

  element(text: string): ParsedElement {
    return remember(this.#elements, text, parseContainerElement);
  }

  variables(text: string): VariableText {
    return remember(this.#variables, text, parseVariables);
  }
}

function remember<T>(known: Map<string, T>, text: string, parse: (text: string) => T): T {
  const found = known.get(text);
  if (found !== undefined) return found;
  const parsed = parse(text);
  known.set(text, parsed);
  return parsed;
}
