import { compile, join, literal, sql } from '@kontor/database';
import { didYouMean, text } from '@kontor/protocol';
import { BadValue, type DeclaredField, defineKind, isAbsent } from './kind.ts';

/** Booleans as spreadsheets and people write them. */
const yes = new Set(['true', '1', 'yes', 'y', 't', 'x', 'on', 'ja', 'j', 'wahr', 'oui', 'o', 'vrai', 'sí', 'si', 'да']);
const no = new Set(['false', '0', 'no', 'n', 'f', 'off', 'nein', 'falsch', 'non', 'faux', 'нет']);

/** Yes or no; an empty value is no. */
export const booleanKind = defineKind('boolean', {
  column: () => 'boolean',
  absent: false,
  cast(value, { spec }) {
    if (isAbsent(value)) return false;
    if (spec?.flag && (value === '1' || value === '0')) return value === '1';
    if (typeof value !== 'boolean') throw new BadValue('Must be true or false.');
    return value;
  },
  fromText(cell, _field, notation) {
    const given = cell.trim().toLowerCase();
    const isPlain = notation !== null || /^(?:true|false|1|0)$/.test(given);
    if (isPlain && yes.has(given)) return true;
    if (isPlain && no.has(given)) return false;
    throw new BadValue(text('"{given}" is neither true nor false.', { given: cell.slice(0, 60) }));
  },
  fromCell: (cell) => cell ?? false,
  cellToJson: (cell) => (cell ? 'true' : 'false'),
  wire: 'boolean',
  jsonSql: (value) => sql`to_jsonb(coalesce(${value}, false))`,
  nameSql: (value) => sql`(${value})::text`,
});

/** One of the declared values. */
export const selectionKind = defineKind('selection', {
  column: () => 'text',
  backfill(field) {
    const first = field.selection?.keys().next().value;
    return first === undefined ? null : compile(literal(first)).text.trim();
  },
  cast(value, field) {
    if (isAbsent(value)) return null;
    if (typeof value !== 'string') throw new BadValue('Must be one of the declared values, as text.');
    const options = field.selection as ReadonlyMap<string, string>;
    if (!options.has(value)) throw notAChoice(value, options.keys(), options.keys());
    return value;
  },
  /** Accepts a value or its label. */
  fromText(cell, field, notation) {
    const values = field.selection ?? new Map<string, string>();
    const given = cell.trim();
    if (values.has(given) || notation === null) return given;
    const value = labelsOf(field).get(given.toLowerCase());
    if (typeof value === 'string') return value;
    throw notAChoice(given, [...values.keys(), ...values.values()], values.values());
  },
  wire: 'text',
  jsonSql: (value) => sql`to_jsonb(${value})`,
  nameSql(value, field) {
    const labels = [...(field.selection ?? [])].map(([key, label]) => sql`when ${literal(key)} then ${literal(label)}`);
    return labels.length === 0 ? value : sql`case ${value} ${join(labels, sql` `)} else ${value} end`;
  },
  isEmpty: (value) => isAbsent(value) || value === '',
});

function notAChoice(given: string, near: Iterable<string>, choices: Iterable<string>): BadValue {
  const hint = didYouMean(given, near) || text(' Choose one of: {choices}.', { choices: [...choices].join(', ') });
  return new BadValue(text('"{given}" is not one of the choices.{hint}', { given: given.slice(0, 80), hint }));
}

const labels = new WeakMap<DeclaredField, ReadonlyMap<string, string | null>>();

/** Values by label, in the user's language and in English. Ambiguous labels are left out. */
function labelsOf(field: DeclaredField): ReadonlyMap<string, string | null> {
  const known = labels.get(field);
  if (known) return known;
  const byLabel = new Map<string, string | null>();
  for (const [value, label] of [...(field.selection ?? []), ...Object.entries(field.spec.selection ?? {})]) {
    const key = label.trim().toLowerCase();
    const other = byLabel.get(key);
    byLabel.set(key, other === undefined || other === value ? value : null);
  }
  labels.set(field, byLabel);
  return byLabel;
}
