import { formatAmount, formatDate, formatNumber } from '@kontor/exchange';
import { sourceLanguage } from '@kontor/kernel';
import { Decimal, type Env, type PlaceholderType, type TextDefinition, textParts } from '@kontor/orm';
import type { EditableText, TextValues } from '@kontor/orm/author';
import { fillPlaceholders } from '@kontor/protocol';
import { type EditedText, editedLanguages, shippedText, type WrittenText, withAddedParts } from './shipped-text.ts';

/** A text with its values, as plain text. */
export interface RenderedText {
  /** The language of the reader. */
  readonly lang: string;
  /** One line. */
  readonly subject: string;
  readonly body: string;
  /** The body, for `composeMail`. */
  readonly paragraphs: readonly string[];
  readonly button: string;
  readonly note: string;
}

export interface TextReader {
  /** The recipient's language; null: English. */
  readonly lang: string | null;
  /** The company whose text it is; by default the text of all companies. */
  readonly companyId?: number | null;
}

/**
 * A text of an addon in the recipient's language: as an administrator changed it, otherwise as shipped. Dates, amounts and numbers
 * are written in the format of the language. The result is plain text; `composeMail` escapes it.
 * ```ts
 * const thanks = defineText('library.thanks', {
 *   label: 'Thanks',
 *   subject: 'Thank you',
 *   body: ['Thank you, {reader}.'],
 *   values: { reader: { label: 'Reader', sample: 'Aiko' } },
 * });
 * export async function thank(env: Env, to: string, lang: string) {
 *   const { subject, paragraphs } = await renderText(env, thanks, { lang }, { reader: 'Bo' });
 *   await queueMail(env, composeMail({ to, lang, subject, paragraphs }));
 * }
 * ```
 */
export async function renderText<T extends EditableText>(
  env: Pick<Env, 'registry'> & { sudo(): unknown },
  definition: T,
  { lang, companyId = null }: TextReader,
  values: TextValues<T>,
): Promise<RenderedText> {
  const reader = lang ?? sourceLanguage;
  const shipped = shippedText(env.registry, definition, reader);
  const edited = await editedText(env, definition, reader, companyId);
  const written = edited && withAddedParts(edited, shipped);
  return fillWritten(definition, written ?? shipped, reader, values as Readonly<Record<string, unknown>>);
}

/** As the server: senders may not read the settings of texts, but their recipients get them. */
async function editedText(
  env: Pick<Env, 'registry'> & { sudo(): unknown },
  definition: TextDefinition,
  lang: string,
  companyId: number | null,
): Promise<EditedText | null> {
  const languages = editedLanguages(env.registry, definition, lang);
  const rows = await (env.sudo() as Env)
    .model('sys.text.edit')
    .searchRead(
      [
        ['text_id.key', '=', definition.key],
        ['lang', 'in', languages],
        '|',
        ['company_id', '=', null],
        ['company_id', '=', companyId],
      ],
      ['lang', 'company_id', 'shipped', ...textParts],
    );
  const rank = (row: (typeof rows)[number]) =>
    languages.indexOf(String(row.lang)) * 2 + (row.company_id === null ? 1 : 0);
  const [best] = rows.toSorted((a, b) => rank(a) - rank(b));
  return (best as EditedText | undefined) ?? null;
}

/** The parts of a text with their values. */
export function fillWritten(
  { values: specs }: Pick<TextDefinition, 'values'>,
  written: WrittenText,
  lang: string,
  values: Readonly<Record<string, unknown>>,
): RenderedText {
  const formatted = (name: string): string | null => {
    const spec = specs[name];
    const value = values[name];
    if (!spec || value === null || value === undefined) return null;
    const shown = formats[spec.type ?? 'text'](value, lang);
    return shown === '' && spec.optional ? null : shown;
  };
  const line = (part: string | null) =>
    fillPlaceholders((part ?? '').replaceAll(/\s+/g, ' '), (name) => formatted(name) ?? '').replaceAll(/\s+/g, ' ');
  const body = fillPlaceholders(written.body ?? '', formatted);
  return {
    lang,
    subject: line(written.subject),
    body,
    paragraphs: body.split(/\n{2,}/),
    button: line(written.button),
    note: line(written.note),
  };
}

/** A message that a person wrote may be a value. */
const longestValue = 20_000;

const formats: Readonly<Record<PlaceholderType, (value: unknown, lang: string) => string>> = {
  text: (value) => String(value).slice(0, longestValue),
  date: (value, lang) => formatDate(String(value), lang),
  number: (value, lang) => formatNumber(new Decimal(String(value)), lang),
  amount(value, lang) {
    const { amount, currency } = value as { amount: Decimal; currency: Parameters<typeof formatAmount>[1] };
    return formatAmount(amount, currency, lang);
  },
};

const sampleCurrency = { symbol: '€', decimal_places: 2 };

/** The samples that an addon gives, as values. */
export function sampleValues({ values }: Pick<TextDefinition, 'values'>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(values).map(([name, { type, sample }]) => [
      name,
      formats[type ?? 'text'] === formats.amount ? { amount: new Decimal(sample), currency: sampleCurrency } : sample,
    ]),
  );
}

/**
 * Plain text as HTML: nothing in it is taken as a tag or an attribute.
 * ```ts
 * export const line = (name: string) => `<p>${toHtml(name)}</p>`;
 * ```
 */
export function toHtml(given: string): string {
  return given.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/**
 * Plain text as HTML paragraphs, which empty lines divide.
 * ```ts
 * export const remark = (written: string) => toParagraphs(written);
 * ```
 */
export function toParagraphs(given: string): string {
  return given
    .split(/\n{2,}/)
    .map((part) => `<p>${toHtml(part).replaceAll('\n', '<br>')}</p>`)
    .join('');
}

/** A text with its sample values, for its form. */
export function previewHtml(definition: TextDefinition, written: WrittenText, lang: string): string {
  const { subject, body, button, note } = fillWritten(definition, written, lang, sampleValues(definition));
  return [
    ...(subject === '' ? [] : [`<p><strong>${toHtml(subject)}</strong></p>`]),
    toParagraphs(body),
    ...(button === '' ? [] : [`<p><u>${toHtml(button)}</u></p>`]),
    ...(note === '' ? [] : [`<p><small>${toHtml(note)}</small></p>`]),
  ].join('');
}
