/** Headers of clients are few and long ones are rare: so many answers are kept, of questions so long at most. */
const mostAnswers = 200;
const longestQuestion = 200;

/** Remembers what a function made of a text. The first texts are remembered; an endless stream of others costs nothing. */
export function rememberAnswers<Answer>(answer: (text: string) => Answer): (text: string) => Answer {
  const answers = new Map<string, Answer>();
  return (text) => {
    const known = answers.get(text);
    if (known !== undefined) return known;
    const made = answer(text);
    if (answers.size < mostAnswers && text.length <= longestQuestion) answers.set(text, made);
    return made;
  };
}
