import type { Decimal } from '../fields/decimal.ts';
import type { PlaceholderSpec, PlaceholderSpecs, TextDefinition } from '../model/text-definition.ts';
import type { ModelName } from './models.ts';
import type { TypedEnv } from './typed-env.ts';

/** An amount in a text, with its currency. */
interface AmountValue {
  readonly amount: Decimal;
  readonly currency: { readonly symbol: string; readonly decimal_places: number } | null;
}
type ValueOf<Spec> = Spec extends { readonly type: 'amount' }
  ? AmountValue
  : Spec extends { readonly type: 'number' }
    ? number | Decimal
    : string;

/**
 * The values that a text needs, one for each of its placeholders.
 * ```ts
 * const late = defineText('library.late', { label: 'Overdue', body: ['{title} is overdue.'], values: { title: { label: 'Title', sample: 'Emma' } } });
 * export const values: TextValues<typeof late> = { title: 'Persuasion' };
 * ```
 */
export type TextValues<T> =
  T extends EditableText<infer Specs>
    ? { readonly [Name in keyof Specs]: ValueOf<Specs[Name]> | Missing<Specs[Name]> }
    : never;
type Missing<Spec> = Spec extends { readonly optional: true } ? null : never;

/**
 * A text that administrators may change and translate, for `renderText`.
 * ```ts
 * export const keyOf = (text: EditableText) => text.key;
 * ```
 */
export interface EditableText<Specs extends PlaceholderSpecs = PlaceholderSpecs> extends TextDefinition {
  readonly values: Specs;
}

export interface TextSpec<Specs extends PlaceholderSpecs> {
  /** What it is for, in the list of texts. */
  readonly label: string;
  /** The subject of a mail. */
  readonly subject?: string;
  /** Its paragraphs, each translated on its own; `\n` begins a new line. A line whose placeholder has no value is left out. */
  readonly body: readonly string[];
  /** The label of the mail's button. */
  readonly button?: string;
  /** Small text at the end of a mail. */
  readonly note?: string;
  /** Its placeholders, by name: `{title}`. */
  readonly values: Specs;
  /** The model whose records can be chosen for the preview. */
  readonly model?: ModelName;
  /** The values for a record of `model`, read with the rights of `env`. */
  readonly load?: (
    env: TypedEnv,
    id: number,
  ) => Promise<{ readonly [Name in keyof Specs]: ValueOf<Specs[Name]> | Missing<Specs[Name]> }>;
}

/**
 * Declares a text that the addon mails or prints. Administrators may change it for each language and company; list it in `texts` of
 * `defineAddon`, and use it with `renderText`. Its name begins with that of the addon. Nothing in it is code: a placeholder is
 * replaced by its value.
 * ```ts
 * export const overdue = defineText('library.overdue', {
 *   label: 'Overdue book',
 *   subject: '{title} is overdue',
 *   body: ['Dear {reader},', 'please bring back {title}.\nIt was due on {due}.'],
 *   values: {
 *     reader: { label: 'Reader', sample: 'Aiko Tanaka' },
 *     title: { label: 'Title', sample: 'Emma', needed: true },
 *     due: { label: 'Due date', type: 'date', sample: '2026-10-25', optional: true },
 *   },
 * });
 * export async function remind(env: Env, to: string, lang: string) {
 *   const values = { reader: 'Aiko', title: 'Emma', due: null };
 *   const { subject, paragraphs } = await renderText(env, overdue, { lang }, values);
 *   await queueMail(env, composeMail({ to, lang, subject, paragraphs }));
 * }
 * export default defineAddon({ texts: [overdue] });
 * ```
 */
export function defineText<const Specs extends Readonly<Record<string, PlaceholderSpec>>>(
  key: string,
  spec: TextSpec<Specs>,
): EditableText<Specs> {
  return Object.freeze({
    kind: 'text' as const,
    key,
    label: spec.label,
    subject: spec.subject ?? null,
    body: Object.freeze([...spec.body]),
    button: spec.button ?? null,
    note: spec.note ?? null,
    values: Object.freeze(spec.values),
    model: spec.model ?? null,
    load: (spec.load as TextDefinition['load'] | undefined) ?? null,
  });
}
