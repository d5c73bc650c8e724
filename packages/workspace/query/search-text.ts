import type { Env, Field, Model } from '@kontor/orm';
import {
  type Arch,
  addDays,
  addMonths,
  canonicalDecimal,
  condition,
  conjoin,
  type DomainNode,
  dateOrderOf,
  dayFromText,
  disjoin,
  isDate,
  numberFromText,
  numberNotationOf,
} from '@kontor/protocol';

/**
 * Free text: found, whatever the case, in one of the view's columns as their reader sees them. Texts and names contain it, choices by
 * their labels, amounts by their digits; a day, a month or a year is looked for in dates. One condition or two for each column.
 */
export function searchText(env: Env, model: Model, arch: Arch, q: string): DomainNode {
  if (q === '') return conjoin();
  const asked = readAsked(env, q);
  const fields = searchedNames(arch).flatMap((name) => model.fields.get(name) ?? []);
  const nodes = fields.flatMap((field) => fieldNode(field, asked) ?? []);
  return nodes.length === 0 ? contains('display_name', q) : disjoin(...nodes);
}

/** The columns of a list or the fields of a card, otherwise the fields of the search view. */
function searchedNames(arch: Arch): readonly string[] {
  const searchable = new Set(arch.fields.filter((field) => field.searchable).map((field) => field.name));
  const shown = [...new Set(shownNames(arch))].filter((name) => searchable.has(name));
  return shown.length > 0 ? shown : arch.search.fields.map((field) => field.name);
}

function shownNames({ list, kanban }: Arch): readonly string[] {
  if (list) return list.columns.map((column) => column.name);
  if (!kanban) return [];
  const { title, lines, footer } = kanban.card;
  return [title, ...lines, ...footer].map((node) => node.name);
}

/** Other meanings of a text. */
interface Asked {
  readonly q: string;
  readonly numbers: readonly Digits[];
  /** From the first day to the one after the last. */
  readonly days: readonly [string, string] | null;
}

/** Of a number, as the domain language has them: `1250.5`. */
interface Digits {
  readonly digits: string;
  /** Decimals are written out to a last zero, as in `2.50`: no others follow. */
  readonly isFinal: boolean;
}

function readAsked({ actor }: Env, q: string): Asked {
  const locale = localeOf(actor.lang);
  return { q, numbers: readNumbers(q, locale), days: readDays(q.trim(), locale) };
}

function localeOf(lang: string): string {
  try {
    return Intl.getCanonicalLocales(lang.replace('_', '-'))[0] ?? 'en-US';
  } catch {
    return 'en-US';
  }
}

/** As in any field: `1.250,50 €`, `1,250.50`, `1250.5`, `7,5`. A text that could be two numbers looks for both. */
function readNumbers(q: string, locale: string): readonly Digits[] {
  const found = numberFromText(q, numberNotationOf(locale));
  if (found === null) return [];
  const typed = 'digits' in found ? [found.digits] : found.either;
  return typed.map((text) => ({ digits: canonicalDecimal(text) as string, isFinal: /\.\d*0$/.test(text) }));
}

/** A day in the user's notation or as `2026-11-18`, a month as `2026-11` or `11/2026`, a year. */
function readDays(q: string, locale: string): readonly [string, string] | null {
  const [, year, month] = /^(\d{4})(?:-(\d{1,2}))?$/.exec(q) ?? [];
  const [, named, of] = /^(\d{1,2})[./](\d{4})$/.exec(q) ?? [];
  const first = `${year ?? of}-${(month ?? named ?? '1').padStart(2, '0')}-01`;
  if (isDate(first)) return [first, addMonths(first, month === undefined && named === undefined ? 12 : 1)];
  const day = dayFromText(q, { dateOrder: dateOrderOf(locale) });
  return day !== null && isDate(day) ? [day, addDays(day, 1)] : null;
}

function fieldNode(field: Field, { q, numbers, days }: Asked): DomainNode | null {
  const { kind, name } = field;
  if (kind.isText || field.spec.relation) return contains(name, q);
  if (kind.isChoice) return labelled(field, q);
  if (kind.isNumber) {
    const nodes = numbers.flatMap((number) => numbered(field, number) ?? []);
    return nodes.length === 0 ? null : disjoin(...nodes);
  }
  if (!kind.isDate || days === null) return null;
  return conjoin(condition(name, '>=', days[0]), condition(name, '<', days[1]));
}

function numbered({ name, kind }: Field, { digits, isFinal }: Digits): DomainNode | null {
  if (kind.isWhole && digits.includes('.')) return null;
  return isFinal ? condition(name, '=ilike', `%${digits}`) : contains(name, digits);
}

/** Users type what they see, and for a selection they see the label. */
function labelled(field: Field, q: string): DomainNode | null {
  const wanted = q.toLocaleLowerCase();
  const values = [...(field.selection ?? [])].filter(([, label]) => label.toLocaleLowerCase().includes(wanted));
  if (values.length === 0) return null;
  return condition(
    field.name,
    'in',
    values.map(([value]) => value),
  );
}

function contains(name: string, q: string): DomainNode {
  return condition(name, 'ilike', q);
}
