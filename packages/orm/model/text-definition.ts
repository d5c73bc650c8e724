/** How a value is written in the reader's language. */
export type PlaceholderType = 'text' | 'date' | 'amount' | 'number';

export interface PlaceholderSpec {
  /** What it is, for those who edit the text. */
  readonly label: string;
  /** How its value is formatted in the recipient's language; by default `text`. */
  readonly type?: PlaceholderType;
  /** For the preview: a text, a date such as `2026-10-25`, or digits. */
  readonly sample: string;
  /** The value may be null; then the line with the placeholder is left out. */
  readonly optional?: boolean;
  /** The text must contain it. */
  readonly needed?: boolean;
}
export type PlaceholderSpecs = Readonly<Record<string, PlaceholderSpec>>;

/** The parts of a text. */
export const textParts = ['subject', 'body', 'button', 'note'] as const;
export type TextPart = (typeof textParts)[number];

/** A text that administrators may change, as an addon declares it. */
export interface TextDefinition {
  readonly kind: 'text';
  /** Begins with the name of its addon. */
  readonly key: string;
  readonly label: string;
  readonly subject: string | null;
  /** Paragraphs. */
  readonly body: readonly string[];
  readonly button: string | null;
  readonly note: string | null;
  readonly values: PlaceholderSpecs;
  readonly model: string | null;
  /** Gets an env; its type is that of `TextSpec`, above this floor. */
  readonly load: ((env: never, id: number) => Promise<Readonly<Record<string, unknown>>>) | null;
}
