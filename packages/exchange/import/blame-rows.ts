import { ConstraintError, type Violation } from '@kontor/orm';
import { KontorError, text, type Words } from '@kontor/protocol';
import type { Column, ColumnPlan } from './plan-columns.ts';
import { linesOf } from './read-lines.ts';
import type { CellError, DraftRow } from './read-rows.ts';

/** A row that cannot be written, with its reasons. */
export interface Refusal {
  readonly row: DraftRow;
  readonly errors: readonly CellError[];
}

const ofRows: ReadonlySet<string> = new Set([
  'VALIDATION_ERROR',
  'USER_ERROR',
  'ACCESS_DENIED',
  'NOT_FOUND',
  'CONFLICT',
]);

export function isRowsFault(error: unknown): error is KontorError {
  return error instanceof KontorError && ofRows.has(error.code);
}

type Messages = Readonly<Record<string, readonly Words[]>>;

/** The errors of one record and of its lines: by position, or for the only one. */
interface Faults {
  readonly fields: Messages;
  readonly lines?: { readonly field: string; readonly fields?: Messages; readonly rows?: readonly BadLine[] };
}
type BadLine = { readonly index: number; readonly fields: Messages };

/** The rows that an error is about: those it names, or the only one there is. */
export function blamedRows(
  plan: ColumnPlan,
  rows: readonly DraftRow[],
  error: KontorError,
  made: readonly number[],
): Refusal[] {
  if (error instanceof ConstraintError) {
    const broken = byViolation(plan, rows, error, made);
    if (broken.length > 0) return broken;
  }
  const details = error.wordedDetails as Partial<Faults> & { rows?: readonly (Faults & { readonly index: number })[] };
  if (details.rows) {
    return details.rows.flatMap(({ index, ...faults }) => {
      const row = rows[index];
      return row ? [{ row, errors: errorsOf(plan, row, faults) }] : [];
    });
  }
  const [only, second] = rows;
  if (only === undefined || second !== undefined) return [];
  const { lines } = details;
  // A lock lists the names of fields, without messages of their own.
  const fields = Array.isArray(details.fields) ? {} : (details.fields ?? {});
  const errors = errorsOf(plan, only, { fields, ...(lines ? { lines } : {}) });
  return [{ row: only, errors: errors.length > 0 ? errors : [{ row: only.row, column: '', message: error.words }] }];
}

/** The rows whose own records violate a constraint; none if a record of another model does. */
function byViolation(
  plan: ColumnPlan,
  rows: readonly DraftRow[],
  { violations }: ConstraintError,
  made: readonly number[],
): Refusal[] {
  if (violations.some(({ model }) => model !== plan.model.name)) return [];
  const byId = new Map<number, Violation[]>();
  for (const each of violations) byId.set(each.id, [...(byId.get(each.id) ?? []), each]);
  return rows.flatMap((row, index) => {
    const own = byId.get(row.target ?? made[index] ?? 0) ?? [];
    const errors = own.flatMap(({ field, message }) => errorsOf(plan, row, { fields: { [field]: [message] } }));
    return errors.length > 0 ? [{ row, errors }] : [];
  });
}

function errorsOf(plan: ColumnPlan, row: DraftRow, { fields, lines }: Faults): CellError[] {
  const ofLines = lines ? lineErrors(plan, row, lines) : [];
  const own = Object.entries(fields).filter(([name]) => ofLines.length === 0 || name !== lines?.field);
  return [...own.flatMap(([name, messages]) => cellErrors(plan.columns, row.row, name, messages)), ...ofLines];
}

/** At the rows of the lines if they are unambiguous: all lines are new. */
function lineErrors(
  plan: ColumnPlan,
  row: DraftRow,
  { field, fields = {}, rows }: NonNullable<Faults['lines']>,
): CellError[] {
  const list = plan.lines.find((each) => each.field.name === field);
  const commands = (row.values[field] ?? []) as readonly (readonly unknown[])[];
  if (!list || commands.some(([command]) => command !== 'create')) return [];
  const places = linesOf(list, row);
  if (rows === undefined && places.length > 1) return [];
  return (rows ?? [{ index: 0, fields }]).flatMap(({ index, fields: told }) =>
    Object.entries(told).flatMap(([name, messages]) =>
      cellErrors(list.columns, places[index]?.row ?? row.row, name, messages),
    ),
  );
}

function cellErrors(columns: readonly Column[], row: number, name: string, messages: readonly Words[]): CellError[] {
  const column = columns.find(({ field }) => field.name === name)?.header ?? name;
  return messages.map((message) => ({ row, column, message: said(message) }));
}

/** Field messages are meant for users, even if they are plain strings. */
function said(message: Words): Words {
  return typeof message === 'string' ? text(message) : message;
}
