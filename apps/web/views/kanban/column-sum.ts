import type { Arch, WorkspacePayload } from '@kontor/protocol';
import { recall } from '../../data/records.ts';
import { locale } from '../../i18n/messages.ts';
import { formatDecimal, formatMoney } from '../../i18n/numbers.ts';

/** A sum for the head of a column: short, without cents. */
export function sumText(arch: Arch, name: string, value: number | string, currency: string | null): string {
  const field = arch.fields.find((one) => one.name === name);
  if (field?.type !== 'monetary') return formatDecimal(value);
  if (!currency) return formatDecimal(Math.round(Number(value)), 0);
  return new Intl.NumberFormat(locale(), {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    maximumFractionDigits: 0,
  }).format(Number(value));
}

/** The same to the cent, for the tip. */
export function exactSum(arch: Arch, name: string, value: number | string, currency: string | null): string {
  const field = arch.fields.find((one) => one.name === name);
  const text = field?.type === 'monetary' ? formatMoney(value, currency) : formatDecimal(value);
  return `${field?.label ?? name}: ${text}`;
}

/** The currency that all cards share, if they do: amounts of several cannot be told with one sign. */
export function commonCurrency({ arch, model, records }: WorkspacePayload, name: string): string | null {
  const field = arch.fields.find((one) => one.name === name)?.currency;
  if (!field) return null;
  const found = new Set(records.map(({ id }) => recall(model, id)?.[`${field}.display_name`]));
  const [only] = found;
  return found.size === 1 && typeof only === 'string' && /^[A-Z]{3}$/.test(only) ? only : null;
}
