import type { Arch, WorkspacePayload } from '@kontor/protocol';
import { locale } from '../../i18n/messages.ts';
import { formatDecimal } from '../../i18n/numbers.ts';
import { type Money, moneyOf, moneyText } from '../money.ts';

/** The sum of a column, short; money of several currencies as one sum for each, and a dot while they are asked for. */
export function columnSum(workspace: WorkspacePayload, name: string, value: number | string, money?: Money): string {
  const { arch } = workspace;
  if (!arch.money?.[name]) return sumText(arch, name, value, null);
  const totals = money?.[name] ?? moneyOf(workspace, name, value);
  return totals ? moneyText(totals, (amount, currency) => sumText(arch, name, amount, currency)) : '…';
}

/** The same to the cent, for the tip. */
export function exactSum(workspace: WorkspacePayload, name: string, value: number | string, money?: Money): string {
  const { arch } = workspace;
  const label = arch.fields.find((one) => one.name === name)?.label ?? name;
  const totals = arch.money?.[name] && (money?.[name] ?? moneyOf(workspace, name, value));
  return `${label}: ${totals ? moneyText(totals) : columnSum(workspace, name, value, money)}`;
}

/** Short, without cents. */
function sumText(arch: Arch, name: string, value: number | string, currency: string | null): string {
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
