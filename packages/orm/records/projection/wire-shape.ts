import { type JsonColumn, type JsonShape, jsonShape } from '@kontor/database';
import { toJson } from '../../json.ts';
import type { CellOutput, Output, Plan } from './plan.ts';

/** How the rows of a plan are written as JSON from the wire; null where something beside the row is needed. */
export function wireShape(plan: Plan): JsonShape | null {
  if (!plan.outputs.every(isCell)) return null;
  return jsonShape([{ key: 'id', index: 0, form: 'digits', absent: 'null' }, ...plan.outputs.map(toColumn)]);
}

function isCell(output: Output): output is CellOutput {
  return output.type === 'cell';
}

function toColumn({ key, index, field, absent }: CellOutput): JsonColumn {
  return { key, index, form: field.kind.wire ?? field.kind.cellToJson, absent: toJson(absent) };
}
