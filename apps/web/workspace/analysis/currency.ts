import type { Domain, GroupRow, MeasureArch, MoneyTotal } from '@kontor/protocol';
import { type Figure, fieldOfMeasure } from './format-figure.ts';
import type { Analysis } from './use-analysis.ts';

/** Amounts in several currencies have no sum: one currency is shown at a time, or each on its own. */
export interface CurrencyChoice {
  /** With more than one, the user can choose. Null stands for amounts without a currency. */
  readonly codes: readonly (string | null)[];
  readonly code: string | null;
  /** All currencies are shown, each on its own. */
  readonly isAll?: boolean;
}

/** For measures that are not amounts. */
export const noCurrency: CurrencyChoice = { codes: [], code: null };

/** The currencies of a measure, the largest amount first, from a grand total requested with `money: true`. */
function codesOf({ name }: MeasureArch, whole: GroupRow | undefined): CurrencyChoice['codes'] {
  const totals = [...(whole?.__money?.[name] ?? [])];
  return totals.sort((a, b) => Number(b.value) - Number(a.value)).map(({ currency }) => currency);
}

/** The currency in which a measure is shown. */
export function currencyOf({ option }: Analysis, measure: MeasureArch, whole: GroupRow | undefined): CurrencyChoice {
  const codes = codesOf(measure, whole);
  const wanted = option('currency');
  const chosen = codes.find((code) => (code ?? '-') === wanted);
  return { codes, code: chosen === undefined ? (codes[0] ?? null) : chosen };
}

/** A measure of a row; for amounts, the part in the chosen currency. */
export function figureOf(row: GroupRow | undefined, { name }: MeasureArch, { codes, code }: CurrencyChoice): Figure {
  const money = row?.__money?.[name];
  if (!money || codes.length < 2) return row?.[name] as Figure;
  return money.find(({ currency }) => currency === code)?.value;
}

/** The amounts in the other currencies, which are listed because no sum contains them. */
export function otherAmounts(
  row: GroupRow | undefined,
  { name }: MeasureArch,
  { codes, code }: CurrencyChoice,
): readonly MoneyTotal[] {
  if (codes.length < 2) return [];
  return (row?.__money?.[name] ?? []).filter(({ currency, value }) => currency !== code && Number(value) !== 0);
}

/** The records behind a figure in one currency. */
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

/** A measure as a table shows it: amounts in several currencies become one column per currency. */
export interface DrawnMeasure extends MeasureArch {
  /** The name of the requested measure. */
  readonly of: string;
  /** The currency of its amounts; null if they have none. */
  readonly code: string | null;
  /** One of several currencies. */
  readonly isPart: boolean;
}

/**
 * Each measure in its own currencies, either all or the chosen one; a measure without the chosen currency keeps its
 * own.
 */
export function drawnMeasures(
  { option, measures }: Pick<Analysis, 'option' | 'measures'>,
  whole: GroupRow | undefined,
): readonly DrawnMeasure[] {
  const wanted = option('currency');
  return measures.flatMap((measure): readonly DrawnMeasure[] => {
    const codes = codesOf(measure, whole);
    if (codes.length < 2) return [{ ...measure, of: measure.name, code: codes[0] ?? null, isPart: false }];
    const chosen = codes.filter((code) => (code ?? '-') === wanted);
    return (chosen.length > 0 ? chosen : codes).map((code) => ({
      ...measure,
      ...{ name: `${measure.name} ${code ?? '-'}`, label: `${measure.label} (${code ?? '–'})` },
      ...{ of: measure.name, code, isPart: true },
    }));
  });
}

/** The choice between all currencies of a table's measures. */
export function tableCurrency(
  { option, measures }: Pick<Analysis, 'option' | 'measures'>,
  whole: GroupRow | undefined,
): CurrencyChoice {
  const mixed = measures.map((measure) => codesOf(measure, whole)).filter((codes) => codes.length > 1);
  const codes = [...new Set(mixed.flat())];
  const chosen = codes.find((code) => (code ?? '-') === option('currency'));
  return { codes, code: chosen ?? null, isAll: chosen === undefined };
}

/** A row with one figure per currency. */
export function drawnRow(row: GroupRow, measures: readonly DrawnMeasure[]): GroupRow {
  const parts = measures.filter(({ isPart }) => isPart);
  if (parts.length === 0) return row;
  const figures = parts.map(({ name, of, code }) => {
    const found = row.__money?.[of]?.find(({ currency }) => currency === code);
    return [name, found?.value ?? null] as const;
  });
  return { ...row, ...(Object.fromEntries(figures) as object) };
}

/** The records behind a figure of a table. */
export function drawnDomain(row: GroupRow, { workspace }: Analysis, measure: DrawnMeasure): Domain {
  const field = fieldOfMeasure(workspace.arch, measure)?.currency;
  return measure.isPart && field ? [...row.__domain, [field, '=', measure.code]] : row.__domain;
}
