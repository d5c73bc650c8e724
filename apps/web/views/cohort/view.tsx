import { useMemo, useRef } from 'react';
import {
  type Analysis,
  AnalysisFrame,
  type ArchField,
  type CohortArch,
  type CohortRow,
  type CurrencyChoice,
  chosenCurrency,
  type Domain,
  fieldOfMeasure,
  fieldType,
  type GroupRow,
  type GroupSpec,
  inCurrency,
  type MenuEntry,
  mark,
  moneyOfQuestions,
  Pick,
  Switch,
  SwitchButton,
  t,
  useAnalysis,
  useFigures,
  type ViewProps,
} from '../../door/index.ts';
import { askedName, type CohortChoice, type CohortTable, cohortTable } from './cohort-table.ts';
import { CohortGrid } from './grid.tsx';
import { cohortSheet } from './sheet.ts';
import './styles.css';

/** Retention: who of those that started together is still there, and when the others left. */
export function CohortView(props: ViewProps) {
  const { arch } = props.workspace;
  const given = arch.cohort as CohortArch;
  const measures = useMemo(() => [given.measure], [given.measure]);
  const analysis = useAnalysis(props, { measures, groupBy: [`${given.start}:${given.interval}`] });
  const choice = useMemo(() => cohortChoice(analysis, given), [analysis, given]);
  // The currencies of the view's own measure came with the workspace; those of another measure are requested first.
  const money = moneyQuestion(analysis, given, choice);
  const found = useFigures(props.workspace, [money]);
  const totals = money ? (found.isStale ? null : (found.rows?.[0] ?? null)) : given.rows;
  const currency = useMemo(() => currencyOfCohort(analysis, totals ?? [], choice), [analysis, totals, choice]);
  const question = questionOf(analysis, choice, currency);
  const isGiven =
    choice.start === given.start &&
    choice.stop === given.stop &&
    choice.interval === given.interval &&
    askedName(choice.measure) === askedName(given.measure) &&
    currency.codes.length < 2;
  const known = isGiven ? { spec: question, rows: given.cells } : undefined;
  const figures = useFigures(props.workspace, totals ? [question] : [], known);
  const rows = figures.isStale ? null : ((figures.rows?.[0] as readonly CohortRow[] | undefined) ?? null);
  const fresh = useMemo(() => rows && { table: cohortTable(arch, rows, choice), choice }, [arch, rows, choice]);
  const last = useRef(fresh);
  if (fresh) last.current = fresh;
  const shown = last.current;
  return (
    <AnalysisFrame
      {...{ analysis, currency }}
      given={measures}
      isSingleMeasure
      isAdditiveOnly
      // Periods are already listed below each other, so that each line can be compared with the one above.
      canCompare={false}
      mostGroups={0}
      choices={<CohortChoices analysis={analysis} choice={choice} />}
      sheet={shown && cohortSheet(analysis, shown.table, shown.choice, currency.code)}
      isLoading={!shown}
      isStale={figures.isStale || props.isLoading}
      error={found.error ?? figures.error}
      onRetry={() => (found.error ? found.retry() : figures.retry())}
    >
      {shown && <CohortBody analysis={analysis} {...shown} currency={currency} />}
    </AnalysisFrame>
  );
}

interface BodyProps {
  readonly analysis: Analysis;
  readonly table: CohortTable;
  readonly choice: CohortChoice;
  readonly currency: CurrencyChoice;
}

function CohortBody({ analysis, table, choice, currency }: BodyProps) {
  if (table.lines.length > 0) {
    return (
      <>
        <CohortBounds table={table} />
        <CohortGrid {...{ analysis, table, choice }} code={currency.code} />
      </>
    );
  }
  const field = analysis.workspace.arch.fields.find(({ name }) => name === choice.start);
  return (
    <p className="mut centred pad-6">
      {t('No records have a date in “{field}”.', { field: field?.label ?? choice.start })}
    </p>
  );
}

/** Says what is left out: the oldest of too many periods, or the columns of the greatest ages. */
function CohortBounds({ table: { lines, periods, ages, oldest } }: { readonly table: CohortTable }) {
  const words = [
    ...(periods > lines.length
      ? [t('The newest {n} of {total} periods are shown and counted.', { n: lines.length, total: periods })]
      : []),
    ...(oldest > ages ? [t('The first {n} of {total} columns are shown.', { n: ages + 1, total: oldest + 1 })] : []),
  ];
  if (words.length === 0) return null;
  return (
    <p className="rigid warn pad-2-4 warned" role="status">
      {words.join(' ')}
    </p>
  );
}

const intervals: readonly (readonly [CohortArch['interval'], string])[] = [
  ['day', mark('Day')],
  ['week', mark('Week')],
  ['month', mark('Month')],
  ['quarter', mark('Quarter')],
  ['year', mark('Year')],
];

function cohortChoice(analysis: Analysis, given: CohortArch): CohortChoice {
  const { option, measures, workspace } = analysis;
  const isDate = (name: string) => dateFields(workspace.arch.fields).some((field) => field.name === name);
  // The server rejects measures that do not add up. Replacing one would show figures under the wrong name.
  const measure = measures[0] ?? given.measure;
  return {
    start: isDate(option('start')) ? option('start') : given.start,
    stop: isDate(option('stop')) ? option('stop') : given.stop,
    interval: intervals.find(([interval]) => interval === option('interval'))?.[0] ?? given.interval,
    measure,
    isLeft: option('mode') === 'left',
  };
}

function dateFields(fields: readonly ArchField[]): readonly ArchField[] {
  return fields.filter((field) => fieldType(field.type).isDate && field.groupable);
}

function questionOf({ workspace }: Analysis, choice: CohortChoice, currency: CurrencyChoice): GroupSpec {
  const { start, stop, interval, measure } = choice;
  const { arch } = workspace;
  const field = fieldOfMeasure(arch, measure)?.currency;
  const domain = arch.domain ?? [];
  const within: Domain = currency.codes.length > 1 && field ? [...domain, ...inCurrency(field, currency)] : domain;
  // Converted amounts of one currency need no rate: the other records are left out.
  const money = arch.moneyIn && currency.code === currency.target ? { money: arch.moneyIn.asked } : {};
  const asked = { name: askedName(measure), field: measure.field, measure: measure.measure };
  return {
    domain: within,
    groupby: [],
    fields: [asked],
    cohort: { start, stop, interval: interval as CohortArch['interval'] },
    ...money,
  };
}

function moneyQuestion({ workspace }: Analysis, given: CohortArch, { measure }: CohortChoice): GroupSpec | null {
  const name = askedName(measure);
  if (name === askedName(given.measure) || !fieldOfMeasure(workspace.arch, measure)?.currency) return null;
  const fields = [{ name, field: measure.field, measure: measure.measure }];
  return { domain: workspace.arch.domain ?? [], groupby: [], fields, money: moneyOfQuestions({ workspace }) };
}

/** Amounts in several currencies have no sum, so one currency is shown. */
function currencyOfCohort(analysis: Analysis, rows: readonly GroupRow[], { measure }: CohortChoice): CurrencyChoice {
  const name = askedName(measure);
  const codes = [...new Set(rows.flatMap((row) => (row.__money?.[name] ?? []).map(({ currency }) => currency)))];
  return chosenCurrency(analysis, codes);
}

function CohortChoices({ analysis, choice }: { readonly analysis: Analysis; readonly choice: CohortChoice }) {
  const { fields } = analysis.workspace.arch;
  const set = (options: Readonly<Record<string, string>>) => analysis.change({ options });
  const dates = (name: 'start' | 'stop'): readonly MenuEntry[] =>
    dateFields(fields).map((field) => ({
      key: field.name,
      label: field.label,
      isChecked: choice[name] === field.name,
      run: () => set({ [name]: field.name }),
    }));
  const label = (name: string) => fields.find((field) => field.name === name)?.label ?? name;
  return (
    <>
      <span className="inline-row wrap gap-1h picks">
        <span className="dim" aria-hidden="true">
          {t('From')}
        </span>
        <Pick isChip name={t('From')} value={label(choice.start)} entries={dates('start')} />
        <span className="dim" aria-hidden="true">
          {t('to')}
        </span>
        <Pick isChip name={t('to')} value={label(choice.stop)} entries={dates('stop')} />
      </span>
      <Switch label={t('Period')}>
        {intervals.map(([interval, name]) => (
          <SwitchButton key={interval} isOn={choice.interval === interval} onClick={() => set({ interval })}>
            {t(name)}
          </SwitchButton>
        ))}
      </Switch>
      <Switch label={t('Show')}>
        <SwitchButton isOn={!choice.isLeft} onClick={() => set({ mode: '' })}>
          {t('Stayed')}
        </SwitchButton>
        <SwitchButton isOn={choice.isLeft} onClick={() => set({ mode: 'left' })}>
          {t('Left')}
        </SwitchButton>
      </Switch>
    </>
  );
}
