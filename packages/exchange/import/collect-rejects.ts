import type { ImportProblem, Translate, Words } from '@kontor/protocol';
import type { CellError, DraftRow } from './read-rows.ts';

/** Rows that do not become a record, all rows of one record together. */
export interface Reject {
  readonly row: number;
  readonly rows: readonly (readonly string[])[];
  readonly errors: readonly CellError[];
  /** The user chose to skip them: not an error that stops the import. */
  readonly isChosen: boolean;
}

/** The same error in many rows, before translation. */
interface Problem extends Omit<ImportProblem, 'message'> {
  readonly message: Words;
  readonly rows: number[];
  count: number;
}

export interface Rejects {
  /** The stored rejects, in file order. */
  list(): readonly Reject[];
  /** Rows with an error. */
  readonly invalid: number;
  /** Rows that the user chose to skip. */
  readonly chosen: number;
  /** There were too many errors to check the rest. */
  readonly isFull: boolean;
  problems(say: Translate): readonly ImportProblem[];
  add(row: DraftRow, errors: readonly CellError[]): void;
  /** The same limit for errors that only the database or a rule of the model finds, which is far more expensive. */
  addStored(row: DraftRow, errors: readonly CellError[]): void;
  leaveOut(row: DraftRow, errors: readonly CellError[]): void;
}

const maxProblems = 1_000;
const firstRows = 5;

/** `maxKept`: this many rejects are stored completely; if a bad row stops the import, the search for more ends there too. */
export function collectRejects(headers: readonly string[], maxKept: number): Rejects {
  const kept: Reject[] = [];
  const problems = new Map<string, Problem>();
  const places = new Map(headers.map((header, index) => [header, index]));
  let [invalid, chosen, stored] = [0, 0, 0];

  function keep({ row, lines, cells }: DraftRow, errors: readonly CellError[], isChosen: boolean): void {
    if (kept.length >= maxKept) return;
    const rows = lines === null ? [cells] : lines.map((line) => line.cells);
    kept.push({ row, rows, errors, isChosen });
  }

  function group(draft: DraftRow, { row, column, message, value: part, kind, record }: CellError): void {
    const index = places.get(column);
    const value = index === undefined ? null : (part ?? cellAt(draft, row, index));
    const key = JSON.stringify([column, value, message]);
    const known = problems.get(key);
    if (known) {
      if (known.rows.at(-1) !== row) known.count++;
      if (known.rows.length < firstRows && !known.rows.includes(row)) known.rows.push(row);
    } else if (problems.size < maxProblems) {
      const more = { ...(kind && { kind }), ...(record !== undefined && { record }) };
      problems.set(key, { column, message, value, count: 1, rows: [row], ...more });
    }
  }

  function add(draft: DraftRow, errors: readonly CellError[]): void {
    invalid += draft.lines?.length ?? 1;
    for (const error of errors) group(draft, error);
    keep(draft, errors, false);
  }

  return {
    get invalid() {
      return invalid;
    },
    get chosen() {
      return chosen;
    },
    get isFull() {
      return maxKept < Number.POSITIVE_INFINITY && (stored >= maxKept || problems.size >= maxProblems);
    },
    list: () => kept.toSorted((a, b) => a.row - b.row),
    problems: (say) =>
      [...problems.values()]
        .sort((a, b) => b.count - a.count || (a.rows[0] as number) - (b.rows[0] as number))
        .map((problem) => ({ ...problem, message: say(problem.message) })),
    add,
    addStored(draft, errors) {
      stored++;
      add(draft, errors);
    },
    leaveOut(draft, errors) {
      chosen += draft.lines?.length ?? 1;
      keep(draft, errors, true);
    },
  };
}

function cellAt({ lines, cells }: DraftRow, row: number, index: number): string {
  const own = lines?.find((line) => line.row === row)?.cells ?? cells;
  return (own[index] ?? '').trim();
}
