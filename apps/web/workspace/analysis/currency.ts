import type { Domain, GroupRow, GroupSpec, MeasureArch, MoneyTotal } from '@kontor/protocol';
import { t } from '../../i18n/messages.ts';
import { type Figure, fieldOfMeasure } from './format-figure.ts';
import type { Analysis } from './use-analysis.ts';

/** Amounts in several currencies have no sum: one currency is shown at a time, or each on its own. */
export interface CurrencyChoice {
  /** With more than one, the user can choose. Null stands for amounts without a currency. */
  readonly codes: readonly (string | null)[];
  readonly code: string | null;
  /** All currencies are shown, each on its own. */
  readonly isAll?: boolean;
  /** The currency that amounts were converted into; the other codes are those without a rate. */
  readonly target?: string | undefined;
}

/** For measures that are not amounts. */
export const noCurrency: CurrencyChoice = { codes: [], code: null };

/** `money` of the questions of an analytic view: each currency on its own, or all converted into the chosen one. */
export function moneyOfQuestions({ workspace }: Pick<Analysis, 'workspace'>): NonNullable<GroupSpec['money']> {
  return workspace.arch.moneyIn?.asked ?? true;
}

/** A currency in a heading or a file, where it must be clear that amounts were converted. */
export function codeLabel({ workspace }: Pick<Analysis, 'workspace'>, code: string | null): string {
  if (code === null) return '–';
  return code === workspace.arch.moneyIn?.code ? t('{code}, converted', { code }) : code;
}

/** The caption of converted amounts; currencies without a rate are named. */
export function convertedText({ workspace }: Pick<Analysis, 'workspace'>, { codes }: CurrencyChoice): string | null {
  const code = workspace.arch.moneyIn?.code;
  if (code === undefined) return null;
  const text = t('Amounts are converted to {code} at the stored rates.', { code });
  const apart = codes.filter((one) => one !== code).map((one) => one ?? t('no currency'));
  if (apart.length === 0) return text;
  return `${text} ${t('Not converted, because there is no rate: {codes}.', { codes: apart.join(', ') })}`;
}

/** The currencies of a measure, the largest amount first, from a grand total requested with `money: true`. */
function codesOf({ name }: MeasureArch, whole: GroupRow | undefined): CurrencyChoice['codes'] {
  const totals = [...(whole?.__money?.[name] ?? [])];
  return totals.sort((a, b) => Number(b.value) - Number(a.value)).map(({ currency }) => currency);
}

/** The currency in which a measure is shown. */
export function currencyOf(
  { option, workspace }: Pick<Analysis, 'option' | 'workspace'>,
  measure: MeasureArch,
  whole: GroupRow | undefined,
): CurrencyChoice {
  return chosenCurrency({ option, workspace }, codesOf(measure, whole));
}

/** The currency in the URL, the one that amounts are converted into, or the first. */
export function chosenCurrency(
  { option, workspace }: Pick<Analysis, 'option' | 'workspace'>,
  codes: CurrencyChoice['codes'],
): CurrencyChoice {
  const target = workspace.arch.moneyIn?.code;
  const wanted = [option('currency'), target].map((one) => codes.find((code) => (code ?? '-') === one));
  const chosen = wanted.find((code) => code !== undefined);
  return { codes, code: chosen === undefined ? (codes[0] ?? null) : chosen, target };
}

/** Conditions for the records with amounts in one of several currencies; converted ones are all that have a rate. */
export function inCurrency(field: string, { codes, code, target }: CurrencyChoice): Domain {
  if (code === null || code !== target) return [[field, '=', code]];
  return codes.filter((one) => one !== code).map((one) => [field, '!=', one]);
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
  currency: CurrencyChoice,
): Domain {
  const field = fieldOfMeasure(workspace.arch, measure)?.currency;
  if (currency.codes.length < 2 || !field) return row.__domain;
  return [...row.__domain, ...inCurrency(field, currency)];
}

/** A measure as a table shows it: amounts in several currencies become one column per currency. */
export interface DrawnMeasure extends MeasureArch {
  /** The name of the requested measure. */
  readonly of: string;
  /** The currency of its amounts; null if they have none. */
  readonly code: string | null;
  /** One of several currencies. */
  readonly isPart: boolean;
  /** All of them. */
  readonly codes: CurrencyChoice['codes'];
}

/**
 * Each measure in its own currencies, either all or the chosen one; a measure without the chosen currency keeps its
 * own.
 */
export function drawnMeasures(
  analysis: Pick<Analysis, 'option' | 'measures' | 'workspace'>,
  whole: GroupRow | undefined,
): readonly DrawnMeasure[] {
  const { option, measures } = analysis;
  const wanted = option('currency');
  return measures.flatMap((measure): readonly DrawnMeasure[] => {
    const codes = codesOf(measure, whole);
    if (codes.length < 2) return [{ ...measure, of: measure.name, code: codes[0] ?? null, isPart: false, codes }];
    const chosen = codes.filter((code) => (code ?? '-') === wanted);
    return (chosen.length > 0 ? chosen : codes).map((code) => ({
      ...measure,
      ...{ name: `${measure.name} ${code ?? '-'}`, label: `${measure.label} (${codeLabel(analysis, code)})` },
      ...{ of: measure.name, code, isPart: true, codes },
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
  const target = workspace.arch.moneyIn?.code;
  return measure.isPart && field ? [...row.__domain, ...inCurrency(field, { ...measure, target })] : row.__domain;
}
