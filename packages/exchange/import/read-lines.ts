import { type CsvRow, text } from '@kontor/protocol';
import type { ColumnPlan, LinePlan } from './plan-columns.ts';
import { changedValues, type DraftRow, type RecordRows, readRows } from './read-rows.ts';
import { idPattern } from './relation-lookup.ts';

/** Rows without values of the record itself continue the record above: they are additional lines. */
export function* joinRows(plan: ColumnPlan, rows: Iterable<CsvRow>): Generator<RecordRows> {
  const own = [...plan.columns.map(({ index }) => index), ...(plan.id ? [plan.id.index] : [])];
  let first: CsvRow | null = null;
  let lines: CsvRow[] = [];
  for (const row of rows) {
    if (first !== null && own.every((index) => isBlank(row, index))) {
      lines.push(row);
      continue;
    }
    if (first !== null) yield { ...first, lines };
    [first, lines] = [row, [row]];
  }
  if (first !== null) yield { ...first, lines };
}

function isBlank({ cells }: CsvRow, index: number): boolean {
  return (cells[index] ?? '').trim() === '';
}

/** Reads the lines of all records at once and assigns them to their records. */
export async function readLines(plan: ColumnPlan, drafts: readonly DraftRow[]): Promise<void> {
  for (const list of plan.lines) {
    const owners = drafts.flatMap((draft) => linesOf(list, draft).map((row) => ({ draft, row })));
    const read = await readRows(
      { columns: list.columns, id: list.id, width: plan.width },
      owners.map(({ row }) => row),
    );
    const commands = new Map<DraftRow, unknown[]>();
    for (const [index, line] of read.entries()) {
      const { draft } = owners[index] as (typeof owners)[number];
      // An order without one of its lines would be a different order, so an invalid line makes the record invalid.
      draft.errors.push(...line.errors.filter(({ column }) => column !== ''));
      draft.leftOut.push(...line.leftOut);
      const own = commands.get(draft) ?? [];
      own.push(commandOf(plan, list, draft, line));
      commands.set(draft, own);
    }
    for (const [draft, own] of commands) draft.values[list.field.name] = own;
  }
}

/** The rows with values for a line of this list. */
export function linesOf({ columns, id }: LinePlan, { lines }: DraftRow): readonly CsvRow[] {
  const places = [...columns.map(({ index }) => index), ...(id ? [id.index] : [])];
  return (lines ?? []).filter((row) => places.some((index) => !isBlank(row, index)));
}

function commandOf({ mode }: ColumnPlan, { id, field, model }: LinePlan, draft: DraftRow, line: DraftRow): unknown {
  if (line.id === '') return ['create', line.values];
  const refuse = (message: ReturnType<typeof text>): void => {
    draft.errors.push({ row: line.row, column: id?.header ?? field.name, message });
  };
  if (mode === 'create') {
    refuse(text('New records get their ID from the server. Choose "Create or update", or leave the column out.'));
  } else if (!idPattern.test(line.id)) refuse(text('Must be the ID of the line, a number, or empty.'));
  return ['update', Number(line.id), changedValues(line, model.fields)];
}
