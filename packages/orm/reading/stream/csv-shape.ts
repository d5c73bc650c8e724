import { type Cell, type CsvColumn, type CsvForm, type CsvShape, csvShape } from '@kontor/database';
import type { Field } from '../../model/model.ts';
import type { Plan } from '../projection/plan.ts';

/** How the rows of a plan become lines of CSV with these columns; null where something beside the row is needed. */
export function csvShapeOf(plan: Plan, paths: readonly string[]): CsvShape | null {
  const columns: CsvColumn[] = [];
  for (const path of paths) {
    const column = columnOf(plan, path);
    if (!column) return null;
    columns.push(column);
  }
  return csvShape(columns);
}

function columnOf(plan: Plan, path: string): CsvColumn | null {
  if (path === 'id') return { index: 0, form: 'digits', absent: '' };
  const output = plan.outputs.find(({ key }) => key === path);
  if (output?.type !== 'cell') return null;
  const { index, field, absent } = output;
  return { index, form: formOf(field), absent: absent === false ? 'false' : '' };
}

function formOf(field: Field): CsvForm {
  const { wire, cellToJson, isNumber } = field.kind;
  if (wire === undefined) return isNumber ? 'digits' : (cell) => asText(cellToJson(cell));
  return wire === 'json' ? 'text' : wire;
}

function asText(json: string): string {
  const value = JSON.parse(json) as Cell;
  return typeof value === 'string' ? value : json;
}
