import type { Domain, GroupRow, MeasureArch } from '@kontor/protocol';
import { type Figure, fieldOfMeasure } from './format-figure.ts';
import type { Analysis } from './use-analysis.ts';

/** Amounts in several currencies have no sum: one of them is looked at at a time. */
export interface CurrencyChoice {
  /** More than one: offer a choice between them. Null stands for amounts without a currency. */
  readonly codes: readonly (string | null)[];
  readonly code: string | null;
}

/** The currencies that a measure is in, by a row of the whole that was asked for with `money: true`. */
export function currencyOf({ option }: Analysis, measure: MeasureArch, whole: GroupRow | undefined): CurrencyChoice {
  const totals = [...(whole?.__money?.[measure.name] ?? [])];
  const codes = totals.sort((a, b) => Number(b.value) - Number(a.value)).map(({ currency }) => currency);
  const wanted = option('currency');
  const chosen = codes.find((code) => (code ?? '-') === wanted);
  return { codes, code: chosen === undefined ? (codes[0] ?? null) : chosen };
}

/** A measure of a row, of money the part in the chosen currency. */
export function figureOf(row: GroupRow | undefined, { name }: MeasureArch, { codes, code }: CurrencyChoice): Figure {
  const money = row?.__money?.[name];
  if (!money || codes.length < 2) return row?.[name] as Figure;
  return money.find(({ currency }) => currency === code)?.value;
}

/** The records behind a figure in one of several currencies. */
export function domainOf(
  row: GroupRow,
  { workspace }: Analysis,
  measure: MeasureArch,
  { codes, code }: CurrencyChoice,
): Domain {
  const field = fieldOfMeasure(workspace.arch, measure)?.currency;
  if (codes.length < 2 || !field) return row.__domain;
  return [...row.__domain, [field, '=', code]];
}
