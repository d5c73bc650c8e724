import type { Cell } from '@kontor/database';
import type { WireRecord } from '../../model/records.ts';
import { markLoaded } from '../guard-record.ts';
import { type Extras, type Lines, noExtras, noLines, type Rows } from './fetch-extras.ts';
import type { ComputedOutput, LinesOutput, Output, Plan, RecordOutput } from './plan.ts';

type Row = readonly Cell[];
type Reader = (row: Row) => unknown;
type Built = Record<string, unknown> & { id: number };

/** Records as objects, in the order of the rows. */
export function buildRecords(plan: Pick<Plan, 'outputs'>, rows: Rows, extras: Extras): WireRecord[] {
  const build = extras === noExtras ? plainBuilder(plan.outputs) : recordBuilder(plan.outputs, extras);
  return rows.map((row) => build(row[0] as number, row));
}

type Builder = (id: number, row: Row) => Built;

const plainBuilders = new WeakMap<readonly Output[], Builder>();

/** Without extras the same plan always builds its records in the same way. */
function plainBuilder(outputs: readonly Output[]): Builder {
  let build = plainBuilders.get(outputs);
  if (!build) {
    build = recordBuilder(outputs, noExtras);
    plainBuilders.set(outputs, build);
  }
  return build;
}

function recordBuilder(outputs: readonly Output[], extras: Extras): Builder {
  const keys = outputs.map((output) => output.key);
  const readers = outputs.map((output) => readerOf(output, extras));
  return (id, row) => {
    const record: Built = { id };
    for (let i = 0; i < keys.length; i++) record[keys[i] as string] = (readers[i] as Reader)(row);
    return record;
  };
}

function readerOf(output: Output, extras: Extras): Reader {
  switch (output.type) {
    case 'cell': {
      const { index, absent } = output;
      const { kind } = output.field;
      return (row) => {
        const cell = row[index] as Cell;
        return cell === null ? absent : kind.fromCell(cell);
      };
    }
    case 'record':
      return recordReader(output, extras);
    case 'computed':
      return computedReader(output, extras);
    case 'lines':
      return linesReader(output, extras);
  }
}

function recordReader(output: RecordOutput, extras: Extras): Reader {
  const build = recordBuilder(output.outputs, extras);
  return (row) => {
    const id = row[output.index] as number | null;
    if (id === null) return null;
    const record = build(id, row);
    markLoaded(record);
    return record;
  };
}

function computedReader(output: ComputedOutput, extras: Extras): Reader {
  const values = extras.computed.get(output);
  const isMany = output.field.kind.isList;
  const asRecords = output.asRecords && (isMany || output.field.kind.isToOne);
  return (row) => {
    const value = values?.get(row[output.owner] as number) ?? (isMany ? [] : null);
    if (!asRecords || value === null) return value;
    return isMany ? (value as readonly number[]).map((id) => ({ id })) : { id: value };
  };
}

function linesReader(output: LinesOutput, extras: Extras): Reader {
  const lines = extras.lines.get(output) ?? noLines;
  const byOwner = output.asIds
    ? groupLines(output, lines.rows, idOf)
    : groupLines(output, lines.rows, lineBuilder(output, lines));
  return (row) => byOwner.get(row[output.owner] as number) ?? [];
}

function lineBuilder(output: LinesOutput, lines: Lines): Reader {
  const build = recordBuilder(output.child?.outputs ?? [], lines.extras);
  return (row) => {
    const record = build(row[0] as number, row);
    markLoaded(record);
    return record;
  };
}

const idOf = (row: Row): unknown => row[0];

export function groupLines<T>(output: LinesOutput, rows: Rows, make: (row: Row) => T): ReadonlyMap<number, T[]> {
  const byOwner = new Map<number, T[]>();
  for (const row of rows) {
    const owner = row[output.childOwner] as number;
    const group = byOwner.get(owner);
    if (group) group.push(make(row));
    else byOwner.set(owner, [make(row)]);
  }
  return byOwner;
}
