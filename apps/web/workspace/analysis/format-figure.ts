import { type Arch, type ArchField, fieldType, type MeasureArch } from '@kontor/protocol';
import { nameOnScreen } from '../../data/records.ts';
import { formatBucket } from '../../i18n/dates.ts';
import { locale, t } from '../../i18n/messages.ts';
import { formatDecimal, formatInteger, formatMoney } from '../../i18n/numbers.ts';

/** The value of a measure. */
export type Figure = number | string | null | undefined;

/** An exact figure. `currency` is the currency code, or null if there is none. */
export function formatFigure(arch: Arch, measure: MeasureArch, value: Figure, currency: string | null = null): string {
  if (value === null || value === undefined) return '';
  if (!isOfField(measure)) return formatInteger(value);
  const type = fieldType(fieldOfMeasure(arch, measure)?.type);
  if (type.isMoney) return currency ? formatMoney(value, currency) : formatDecimal(value, 2);
  if (type.isWhole && measure.measure !== 'avg') return formatInteger(value);
  return formatDecimal(typeof value === 'string' ? value : Math.round(value * 100) / 100);
}

const formats = new Map<string, Intl.NumberFormat>();

/** A number, abbreviated for an axis or the end of a bar: 79.2K. */
export function formatShort(value: number): string {
  const isSmall = Math.abs(value) < 1000;
  const key = `${locale()} ${isSmall}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.NumberFormat(locale(), {
      notation: isSmall ? 'standard' : 'compact',
      maximumFractionDigits: isSmall ? 2 : 1,
    });
    formats.set(key, format);
  }
  return format.format(value);
}

/** A percentage such as 8.4 %, with a sign for a change. */
export function formatShare(share: number, isChange = false): string {
  return new Intl.NumberFormat(locale(), {
    style: 'percent',
    maximumFractionDigits: 1,
    signDisplay: isChange ? 'exceptZero' : 'auto',
  }).format(share);
}

/** The label of a group value. */
export function formatGroup(arch: Arch, group: string, row: Readonly<Record<string, unknown>>): string {
  const value = row[group];
  const [name = '', granularity] = group.split(':');
  const field = arch.fields.find((one) => one.name === name);
  const record = row[`${group}.display_name`];
  if (typeof record === 'string') return record;
  if (value === null || value === undefined || value === '') return t('None');
  if (granularity) return formatBucket(String(value));
  if (typeof value === 'boolean') return value ? t('Yes') : t('No');
  if (field?.selection) return field.selection.find(([key]) => key === value)?.[1] ?? String(value);
  // A record rule hides the name of the record.
  if (field?.relation || record === null) return nameOnScreen(null);
  return typeof value === 'number' ? formatDecimal(value) : String(value);
}

/** Whether the measure has the unit of its field; counts have none. */
function isOfField({ measure }: MeasureArch): boolean {
  return measure !== 'count' && measure !== 'count_distinct';
}

/** The field that a measure sums. */
export function fieldOfMeasure(arch: Arch, { field }: MeasureArch): ArchField | undefined {
  return arch.fields.find(({ name }) => name === field);
}
