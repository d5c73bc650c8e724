import {
  type Analysis,
  codeLabel,
  formatBucket,
  type Sheet,
  type SheetCell,
  type SheetColumn,
  t,
} from '../../door/index.ts';
import type { CohortChoice, CohortLine, CohortTable } from './cohort-table.ts';

/** One line per period and one column per age, with the figures. */
export function cohortSheet(
  analysis: Analysis,
  { lines, all, ages }: CohortTable,
  choice: CohortChoice,
  currency: string | null,
): Sheet {
  const { arch } = analysis.workspace;
  const start = arch.fields.find(({ name }) => name === choice.start)?.label ?? choice.start;
  const { label } = choice.measure;
  const head: SheetColumn[] = [
    { key: 'start', label: start },
    { key: 'whole', label: currency ? `${label} (${codeLabel(analysis, currency)})` : label },
    ...[...Array(ages + 1).keys()].map((age) => ({ key: `age ${age}`, label: `+${age}` })),
  ];
  const row = (line: CohortLine) => ({
    key: line.start ?? 'all',
    isTotal: line.start === null,
    cells: [
      { value: line.start === null ? t('All') : formatBucket(line.start) },
      { value: line.whole ?? null },
      ...[...Array(ages + 1).keys()].map(
        (age): SheetCell => ({ value: line.cells.find((cell) => cell.age === age)?.value ?? null }),
      ),
    ],
  });
  const shows = choice.isLeft ? t('Left') : t('Stayed');
  return { title: `${arch.title}, ${shows}`, head, rows: [...lines, ...(all ? [all] : [])].map(row), names: 1 };
}
