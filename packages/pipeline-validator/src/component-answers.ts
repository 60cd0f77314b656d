import type { ComponentNode } from "@wye/pipeline-spec";

/**
 * What the components of an executor say about a name, found once: many placeholders of one executor may ask the same, of as many
 * components.
 */
export class ComponentAnswers<T> {
  private readonly known = new Map<readonly ComponentNode[], Map<string, T | undefined>>();

  /** The first answer that one of the components gives to a question, whose name is the same for the same question. */
  first(
    components: readonly ComponentNode[],
    question: string,
    ask: (component: ComponentNode) => T | undefined,
  ): T | undefined {
    // Of few it takes no longer to ask them again, and nothing is kept.
    if (components.length <= 2) return firstOf(components, ask);
    const answers = this.known.get(components) ?? new Map<string, T | undefined>();
    this.known.set(components, answers);
    if (!answers.has(question)) answers.set(question, firstOf(components, ask));
    return answers.get(question);
  }
}

function firstOf<T>(
  components: readonly ComponentNode[],
  ask: (component: ComponentNode) => T | undefined,
): T | undefined {
  for (const component of components) {
    const answer = ask(component);
    if (answer !== undefined) return answer;
  }
  return undefined;
}
