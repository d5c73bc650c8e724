import { type CustomFieldData, type CustomiseData, type FormNode, fieldType } from '@kontor/protocol';
import { toClientError } from '../../data/client-error.ts';
import { mark } from '../../i18n/messages.ts';
import { parseNumber } from '../../i18n/numbers.ts';
import { bootstrap } from '../../state/bootstrap.ts';

/** Field types in the words of people, the most common first. */
export const typeLabels: readonly (readonly [type: string, label: string])[] = [
  ['char', mark('Text')],
  ['text', mark('Long text')],
  ['selection', mark('Choice')],
  ['boolean', mark('Checkbox')],
  ['integer', mark('Whole number')],
  ['decimal', mark('Decimal number')],
  ['monetary', mark('Money')],
  ['date', mark('Date')],
  ['datetime', mark('Date and time')],
  ['many2one', mark('Link')],
  ['many2many', mark('Several links')],
  ['html', mark('Formatted text')],
  ['image', mark('Picture')],
  ['binary', mark('File')],
  ['float', mark('Measurement')],
  ['json', mark('Structured data')],
];

export const looks: readonly (readonly [look: string, label: string])[] = [
  ['mute', mark('Grey')],
  ['info', mark('Blue')],
  ['ok', mark('Green')],
  ['warn', mark('Orange')],
  ['bad', mark('Red')],
];

export interface NewChoice {
  readonly key: number;
  readonly label: string;
  readonly look: string;
  readonly words: Words;
}

/** Translations by language. */
export type Words = Readonly<Record<string, string>>;

/** What the person typed so far. */
export interface NewField {
  readonly type: string;
  readonly label: string;
  readonly words: Words;
  readonly help: string;
  readonly isRequired: boolean;
  readonly default: string;
  readonly groups: readonly string[];
  readonly choices: readonly NewChoice[];
  readonly relation: string;
  readonly currency: string;
  readonly after: string;
  readonly inList: boolean;
  readonly isPersonal: boolean;
  /** Its changes are shown in the discussion. */
  readonly isTracked: boolean;
  /** What gives the value. */
  readonly source: 'typed' | 'formula' | 'from' | 'lines';
  readonly formula: string;
  readonly isStored: boolean;
  /** `partner_id.phone` */
  readonly from: string;
  readonly lines: { readonly measure: string; readonly path: string };
  /** Which records a link offers. */
  readonly domain: readonly unknown[];
}

/** The server works the value out, so nobody must enter it. */
export function isCalculated({ source }: NewField): boolean {
  return source === 'formula' || source === 'lines';
}

export const emptyField: NewField = {
  ...{ type: 'char', label: '', words: {}, help: '', isRequired: false, default: '', groups: [] },
  choices: [{ key: 1, label: '', look: 'mute', words: {} }],
  ...{ relation: '', currency: '', after: '', inList: true, isPersonal: false, isTracked: false, domain: [] },
  ...{ source: 'typed', formula: '', isStored: true, from: '', lines: { measure: 'sum', path: '' } },
};

/** `x_lift_on_site` for "Lift on site"; numbered if that is taken. */
export function fieldName(label: string, taken: ReadonlySet<string>): string {
  return nameFor(label, 'field', taken);
}

/** The technical name of something with a label; `without` is for labels without Latin letters. */
export function nameFor(label: string, without: string, taken: ReadonlySet<string>): string {
  const short = slug(label)
    .replace(/^[^a-z]+/, '')
    .slice(0, 34);
  const stem = `x_${(without === 'model' ? short : slug(label)) || without}`;
  for (let at = 1; ; at++) {
    const name = at === 1 ? stem : `${stem}_${at}`;
    if (!taken.has(name)) return name;
  }
}

/** Choices keep their value when their label changes later. */
function choiceValues(choices: readonly NewChoice[]): readonly string[] {
  const taken = new Set<string>();
  return choices.map(({ label }) => {
    const stem = slug(label).replace(/^[^a-z]+/, '') || 'choice';
    let value = stem;
    for (let at = 2; taken.has(value); at++) value = `${stem}_${at}`;
    taken.add(value);
    return value;
  });
}

export function slug(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll('ß', 'ss')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, 40)
    .replace(/_+$/, '');
}

/** The change that the server applies. */
export function addChange(given: NewField, { model, fields }: CustomiseData, formFields: readonly string[]) {
  const type = fieldType(given.type);
  const name = fieldName(given.label, new Set([...Object.keys(fields), ...formFields]));
  const values = choiceValues(given.choices);
  const choices = given.choices.map(({ label, look }, at) => ({ value: values[at], label: label.trim(), look }));
  const field = {
    type: given.type,
    label: given.label.trim(),
    ...(given.help.trim() && { help: given.help.trim() }),
    ...(given.isRequired && !isCalculated(given) && { required: true }),
    ...sourceValues(given, values),
    ...(given.groups.length > 0 && { groups: given.groups }),
    ...(type.isChoice && { choices }),
    ...(type.isRelation && { relation: given.relation }),
    ...(type.isRelation && given.domain.length > 0 && { domain: given.domain }),
    ...(type.isMoney && given.currency && { currency: given.currency }),
    personal: given.isPersonal,
    ...(given.isTracked && { tracking: true }),
  };
  const { after, inList } = given;
  return { do: 'add_field', model, name, field, words: wordsOf(given), after, inList: inList && !type.isOpaque };
}

function sourceValues(given: NewField, values: readonly string[]): object {
  if (given.source === 'formula') return { formula: given.formula.trim(), stored: given.isStored };
  if (given.source === 'from') return { from: given.from };
  return given.source === 'lines' ? { lines: given.lines } : defaultOf(given, values);
}

/** The default as the type takes it; what is not a number is sent unchanged, so that the server names the mistake. */
function defaultOf(
  { type: name, default: given }: NewField,
  values: readonly string[],
): { readonly default?: unknown } {
  const type = fieldType(name);
  const text = given.trim();
  if (text === '' || type.isRelation || type.isOpaque) return {};
  if (type.isBoolean) return text === 'true' ? { default: true } : {};
  if (type.isChoice) return { default: values[Number(text) - 1] };
  if (type.isDate && (text === 'today' || text === 'now')) return { default: { source: text } };
  const number = type.isNumber ? parseNumber(text, type.isWhole ? 0 : undefined) : undefined;
  if (typeof number === 'number') return { default: type.isExact ? String(number) : number };
  return { default: text };
}

function wordsOf({ label, words, choices }: NewField): Readonly<Record<string, Words>> {
  const said: Record<string, Record<string, string>> = {};
  const add = (english: string, translations: Words) => {
    for (const [lang, text] of Object.entries(translations)) {
      if (text.trim() === '' || english.trim() === '') continue;
      said[lang] = { ...said[lang], [english.trim()]: text.trim() };
    }
  };
  add(label, words);
  for (const choice of choices) add(choice.label, choice.words);
  return said;
}

/** The fields of a form that another can come after, in order. */
export function placesIn(children: readonly FormNode[]): readonly string[] {
  return children.flatMap((node): readonly string[] => {
    if (node.kind === 'field') return [node.name];
    if (node.kind === 'group') return placesIn(node.children);
    return node.kind === 'notebook' ? node.pages.flatMap((page) => placesIn(page.children)) : [];
  });
}

export function typeLabel({ type }: Pick<CustomFieldData, 'type'>): string {
  return typeLabels.find(([name]) => name === type)?.[1] ?? type;
}

/** English where it is used, otherwise the language of the author: what others see without a translation. */
export function sourceOf({ languages }: CustomiseData): CustomiseData['languages'][number] | undefined {
  const { lang } = bootstrap();
  return (
    languages.find(({ code }) => code.startsWith('en')) ?? languages.find(({ code }) => code === lang) ?? languages[0]
  );
}

/** All mistakes, without the technical names of their places. */
export function messagesOf(error: unknown): string {
  const failed = toClientError(error);
  const all = Object.values(failed.fields).flat();
  return all.length > 0 ? all.join(' ') : failed.message;
}
