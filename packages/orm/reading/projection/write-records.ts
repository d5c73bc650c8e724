import { type Cell, type CellForm, type JsonColumn, type JsonShape, jsonShape } from '@kontor/database';
import { toJson } from '../../fields/to-json.ts';
import { writeAnswer } from '../budgets.ts';
import { groupLines } from './build-records.ts';
import { type Extras, noLines, type Rows } from './fetch-extras.ts';
import type { CellOutput, LinesOutput, Output, Plan } from './plan.ts';

type Row = readonly Cell[];
type Writer = (row: Row) => string;

/**
 * Records as the text of a JSON array, written from the cells without an object per row. A call may request one record
 * many times, so the size of the written text is checked too.
 */
export async function writeRecords(plan: Plan, rows: Rows, extras: Extras): Promise<string> {
  const write = recordWriter(plan.outputs, extras);
  return writeAnswer(rows, write);
}

function recordWriter(outputs: readonly Output[], extras: Extras): Writer {
  const labels = outputs.map((output) => `,${JSON.stringify(output.key)}:`);
  const writers = outputs.map((output) => writerOf(output, extras));
  return (row) => {
    let text = `{"id":${row[0]}`;
    for (let i = 0; i < writers.length; i++) text += (labels[i] as string) + (writers[i] as Writer)(row);
    return `${text}}`;
  };
}

function writerOf(output: Output, extras: Extras): Writer {
  switch (output.type) {
    case 'cell': {
      const { index } = output;
      const { kind } = output.field;
      const absent = toJson(output.absent);
      return (row) => {
        const cell = row[index] as Cell;
        return cell === null ? absent : kind.cellToJson(cell);
      };
    }
    case 'computed': {
      const values = extras.computed.get(output);
      const absent = output.field.kind.isList ? '[]' : 'null';
      return (row) => {
        const value = values?.get(row[output.owner] as number);
        return value === undefined ? absent : toJson(value);
      };
    }
    case 'lines':
      return linesWriter(output, extras);
    case 'record':
      throw new Error('Loaded records are for server code; they have no wire form.');
  }
}

function linesWriter(output: LinesOutput, extras: Extras): Writer {
  const lines = extras.lines.get(output) ?? noLines;
  const write = output.asIds ? (row: Row) => `${row[0]}` : recordWriter(output.child?.outputs ?? [], lines.extras);
  const byOwner = groupLines(output, lines.rows, write);
  return (row) => `[${byOwner.get(row[output.owner] as number)?.join(',') ?? ''}]`;
}

/**
 * How rows are written as JSON directly from the database's text; `forms` replaces the form of some columns. Null if more than the
 * row is needed.
 */
export function wireShape(plan: Plan, others: Readonly<Record<string, CellForm>> = {}): JsonShape | null {
  if (!plan.outputs.every(isCell)) return null;
  return jsonShape([
    { key: 'id', index: 0, form: 'digits', absent: 'null' },
    ...plan.outputs.map((output) => toColumn(output, others)),
  ]);
}

function isCell(output: Output): output is CellOutput {
  return output.type === 'cell';
}

function toColumn({ key, index, field, absent }: CellOutput, others: Readonly<Record<string, CellForm>>): JsonColumn {
  const { wire, cellToJson } = field.kind;
  const form = wire === undefined ? cellToJson : (others[wire] ?? wire);
  return { key, index, form, absent: toJson(absent) };
}
