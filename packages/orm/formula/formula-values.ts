import { addDays, addMonths, isDate } from '@kontor/protocol';
import { type Decimal, isZero } from '../fields/decimal.ts';
import type { ComputeContext, LoadedRecord } from '../model/behaviour.ts';

/** What an expression is: numbers are exact, `record` is a link, `empty` fits everything. */
export type FormulaType = 'number' | 'string' | 'truth' | 'day' | 'moment' | 'record' | 'empty';

/** Numbers are decimals; dates and times are texts as fields have them; null is empty. */
export type FormulaValue = Decimal | string | boolean | number | null;

export type Run = (record: LoadedRecord, context: ComputeContext) => FormulaValue;

/** A checked expression. */
export interface Typed {
  readonly type: FormulaType;
  /** Always a whole number. */
  readonly isWhole?: boolean;
  /** The values of a selection. */
  readonly choices?: readonly string[];
  readonly run: Run;
}

export const maxText = 10_000;

export function isEmpty(value: FormulaValue): boolean {
  return value === null || value === '';
}

export function divide(left: Decimal, right: Decimal): Decimal | null {
  return isZero(right) ? null : left.div(right);
}

export function remainder(left: Decimal, right: Decimal): Decimal | null {
  return isZero(right) ? null : left.mod(right);
}

/** The day that many days or months later; null if no calendar has it. */
export function later(unit: 'days' | 'months', day: string, count: Decimal): string | null {
  if (count.abs().gt(4_000_000)) return null;
  const found = (unit === 'days' ? addDays : addMonths)(day, count.toNumber());
  return isDate(found) ? found : null;
}

/** Less than 0 if the first comes before the second. */
export function compare(type: FormulaType, left: FormulaValue, right: FormulaValue): number {
  if (type === 'number') return (left as Decimal).cmp(right as Decimal);
  if (type === 'moment') return Date.parse(String(left)) - Date.parse(String(right));
  return left === right ? 0 : (left as string) < (right as string) ? -1 : 1;
}
