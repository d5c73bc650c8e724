/** A text that describes the name above it, without a first line that only repeats that name. */
export interface OwnText {
  readonly shown: string;
  /** The whole text again, from what was typed. */
  whole(typed: string): string;
}

/** The name may have a code before it: `[AL-01] Chair` is repeated by `Chair`. */
export function ownText(text: string, name: string): OwnText {
  const [first = ''] = text.split('\n', 1);
  if (first === '' || !name.endsWith(first)) return { shown: text, whole: (typed) => typed };
  return { shown: text.slice(first.length + 1), whole: (typed) => (typed === '' ? first : `${first}\n${typed}`) };
}
