const order: readonly Intl.LDMLPluralRule[] = ['zero', 'one', 'two', 'few', 'many', 'other'];
/** Every form of a language that counts things shows up among these. */
const samples = Array.from({ length: 201 }, (_, n) => n);

/** The forms in which a language counts things, in the order in which a wordbook has them: msgstr[0] is the first. */
export function pluralCategories(lang: string): readonly Intl.LDMLPluralRule[] {
  const rules = new Intl.PluralRules(lang.replaceAll('_', '-'));
  const used = new Set(samples.map((n) => rules.select(n)));
  return order.filter((category) => used.has(category));
}

/** The key of one form of a message: `{n} record` and `one`. */
export function pluralKey(one: string, category: string): string {
  return `${one}\n${category}`;
}
