export type TextParams = Readonly<Record<string, string | number | Text>>;

/**
 * A message that keeps its values separate until the reader is known: translations are looked up by the English text, whatever the
 * values are.
 * ```ts
 * export const seats = (free: number): Text => text('{free} seats are free.', { free });
 * ```
 */
export class Text {
  readonly english: string;
  readonly params: TextParams;

  constructor(english: string, params: TextParams) {
    this.english = english;
    this.params = params;
  }

  toString(): string {
    return inEnglish(this);
  }

  toJSON(): string {
    return inEnglish(this);
  }
}

/**
 * A message: plain words, or a text with values.
 * ```ts
 * export const greetings: readonly Words[] = ['Hello', text('Hello {name}', { name: 'Ada' })];
 * ```
 */
export type Words = string | Text;

/** Translates a text. `module` is the addon whose translations take precedence; by default any. */
export type Translate = (words: Words, module?: string) => string;

/**
 * A text with values, for translated errors and messages. Values are inserted unchanged; a value that is itself a text is
 * translated too.
 * ```ts
 * export function checkSeats(taken: number, seats: number) {
 *   if (taken > seats) throw new UserError(text('There are only {seats} seats.', { seats }));
 * }
 * ```
 */
export function text(english: string, params: TextParams = {}): Text {
  return new Text(english, params);
}

export const inEnglish: Translate = (words) =>
  typeof words === 'string' ? words : fillText(words.english, words.params, inEnglish);

/** Replaces `{name}` by its value; a name without a value stays. */
export function fillText(words: string, params: TextParams, translate: Translate = inEnglish): string {
  return words.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = Object.hasOwn(params, name) ? params[name] : undefined;
    if (value === undefined) return whole;
    return value instanceof Text ? translate(value) : String(value);
  });
}
