import type { Field } from '@kontor/orm';
import type { Projection } from '@kontor/protocol';
import type { CellKind, TableColumn } from '../pdf/table-spec.ts';
import type { ExportColumn } from './export-columns.ts';

const kinds: Readonly<Partial<Record<Field['spec']['type'], CellKind>>> = {
  html: 'html',
  integer: 'number',
  float: 'number',
  decimal: 'number',
  monetary: 'money',
  boolean: 'boolean',
  date: 'date',
  datetime: 'datetime',
  selection: 'choice',
  json: 'json',
};

/** Columns as people read them: relations by their names, selections by their labels, money with its currency. */
export function tableColumns(columns: readonly ExportColumn[]): readonly TableColumn[] {
  return columns.map((column) => {
    const { field } = column;
    const { key, inLines } = keyOf(column);
    return {
      label: labelOf(column),
      key,
      inLines,
      kind: isRelation(field) ? 'text' : (kinds[field.spec.type] ?? 'text'),
      scale: scaleOf(field),
      currency: currencyOf(column),
      choices: Object.fromEntries(field.selection ?? []),
    };
  });
}

export function tableProjection(columns: readonly ExportColumn[]): Projection {
  const plain = new Set<string>();
  const nested = new Map<string, Set<string>>();
  for (const column of columns) {
    const { key, inLines } = keyOf(column);
    const currency = currencyOf(column);
    if (inLines === null) plain.add(key);
    else nested.set(key, (nested.get(key) ?? new Set()).add(inLines));
    if (currency !== null && inLines === null) plain.add(currency);
    else if (currency !== null) nested.get(key)?.add(currency);
  }
  const lines = [...nested].map(([key, names]) => [key, [...names]] as const);
  return lines.length === 0 ? [...plain] : [...plain, Object.fromEntries(lines)];
}

/** Of relations their names. */
function keyOf({ path, lines, field }: ExportColumn): { readonly key: string; readonly inLines: string | null } {
  const isOne = field.spec.type === 'many2one';
  if (lines !== null) return { key: lines, inLines: isOne ? `${field.name}.display_name` : field.name };
  if (isMany(field)) return { key: path, inLines: 'display_name' };
  return { key: isOne ? `${path}.display_name` : path, inLines: null };
}

/** The key of the code, in the record or, for a list, in each of its records. */
function currencyOf({ field, model, prefix, lines }: ExportColumn): string | null {
  if (field.spec.type !== 'monetary') return null;
  const name = field.spec.currency ?? 'currency_id';
  if (model.fields.get(name)?.spec.type !== 'many2one') return null;
  return `${lines === null ? prefix : ''}${name}.display_name`;
}

/** `Customer / Country`; a name is its record. */
function labelOf({ labels, field }: ExportColumn): string {
  const shown = labels.length > 1 && field.name === 'display_name' ? labels.slice(0, -1) : labels;
  return shown.join(' / ');
}

function scaleOf({ spec }: Field): number | null {
  if (spec.type === 'integer') return 0;
  return spec.type === 'decimal' ? (spec.precision?.[1] ?? null) : null;
}

function isMany({ spec }: Field): boolean {
  return spec.type === 'one2many' || spec.type === 'many2many';
}

function isRelation(field: Field): boolean {
  return isMany(field) || field.spec.type === 'many2one';
}
