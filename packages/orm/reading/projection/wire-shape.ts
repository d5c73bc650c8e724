import { type CellForm, type JsonColumn, type JsonShape, jsonShape } from '@kontor/database';
import { toJson } from '../../json.ts';
import type { CellOutput, Output, Plan } from './plan.ts';

/**
 * How the rows of a plan are written as JSON from the wire, in other forms where some are given; null where something beside the
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
