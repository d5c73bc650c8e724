/** A description without its first line, if that only repeats the name above it. */
export interface OwnText {
  readonly shown: string;
  /** The complete text, from what was typed. */
  whole(typed: string): string;
}

/** The name may start with a code: `Chair` repeats `[AL-01] Chair`. */
export function ownText(text: string, name: string): OwnText {
  const [first = ''] = text.split('\n', 1);
  if (first === '' || !name.endsWith(first)) return { shown: text, whole: (typed) => typed };
  return { shown: text.slice(first.length + 1), whole: (typed) => (typed === '' ? first : `${first}\n${typed}`) };
}
