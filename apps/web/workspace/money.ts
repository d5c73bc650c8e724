import type { Domain, MoneyTotal, WorkspacePayload } from '@kontor/protocol';
import { formatMoney } from '../i18n/numbers.ts';

/** Totals by field, each by currency. */
export type Money = Readonly<Record<string, readonly MoneyTotal[]>>;

/** Currencies with an amount other than zero. */
function moneyParts(totals: readonly MoneyTotal[]): readonly MoneyTotal[] {
  const some = totals.filter(({ value }) => Number(value) !== 0);
  return some.length > 0 ? some : totals.slice(0, 1);
}

type Format = (value: number | string, currency: string | null) => string;

/** One amount per currency: `€1,200 + $300`. */
export function moneyText(totals: readonly MoneyTotal[], format: Format = formatMoney): string {
  return moneyParts(totals)
    .map(({ value, currency }) => format(value, currency))
    .join(' + ');
}

/** The fields with amounts in several currencies, over all matching records. */
function mixedFields({ arch }: WorkspacePayload): readonly string[] {
  return Object.entries(arch.money ?? {}).flatMap(([name, totals]) => (moneyParts(totals).length > 1 ? [name] : []));
}

/** The total of a group if all amounts have one currency; otherwise null. */
export function moneyOf(workspace: WorkspacePayload, name: string, value: unknown): readonly MoneyTotal[] | null {
  const totals = workspace.arch.money?.[name];
  if (!totals) return null;
  const parts = moneyParts(totals);
  if (parts.length > 1) return null;
  return [{ currency: parts[0]?.currency ?? null, value: (value ?? 0) as number }];
}

interface GroupQuestion {
  readonly domain: Domain;
  readonly by: string;
}

/** Sums per group and currency, if there are several; by group value. Its code loads when it is needed. */
export async function moneyByGroup(
  workspace: WorkspacePayload,
  question: GroupQuestion,
): Promise<ReadonlyMap<string, Money>> {
  const { sumByGroup } = await import('./money-by-group.ts');
  return sumByGroup(workspace, { ...question, names: mixedFields(workspace), keyOf: groupKey });
}

/** The lookup key of a group value. */
export function groupKey(value: unknown): string {
  return JSON.stringify(value ?? null);
}

/** Whether amounts on the screen are in several currencies, so that sums must be requested by currency; converted sums came with their groups. */
export function hasMixedMoney(workspace: WorkspacePayload): boolean {
  return !workspace.arch.moneyIn && mixedFields(workspace).length > 0;
}
