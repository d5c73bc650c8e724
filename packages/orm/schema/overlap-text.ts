import { compile, ident } from '@kontor/database';
import type { Exclude } from '../model/behaviour.ts';
import type { Field, Model } from '../model/model.ts';
import { whereText } from './where-text.ts';

/** SQL over the columns of a table that determines which rows conflict. */
export interface OverlapText {
  /** Ranges that must be equal: with them, a plain GiST index of PostgreSQL supports numbers and dates too. */
  readonly same: readonly string[];
  /** The range that must not overlap with another. */
  readonly range: string;
  readonly where: string;
}

/** Range types by type of field, and whether the end belongs to the range. */
const ranges: Readonly<Record<string, readonly [type: string, bounds: '[]' | '[)']>> = {
  date: ['daterange', '[]'],
  datetime: ['tstzrange', '[)'],
  integer: ['int4range', '[]'],
  decimal: ['numrange', '[)'],
  monetary: ['numrange', '[)'],
};
const rangesOfOne: Readonly<Record<string, string>> = {
  many2one: 'int4range',
  integer: 'int4range',
  date: 'daterange',
};

export function overlapText(model: Model, { same = [], range: [from, to], where }: Exclude): OverlapText {
  const field = (name: string) => model.fields.get(name) as Field;
  const [first, last] = [column(field(from)), column(field(to))];
  const [type, bounds] = ranges[field(from).spec.type] as readonly [string, string];
  return {
    same: same.map((name) => sameText(field(name))),
    // A range that ends before it begins is rejected by a constraint of the author, if at all.
    range: `case when ${first} > ${last} then 'empty'::${type} else ${type}(${first}, ${last}, '${bounds}') end`,
    where: where === undefined ? 'true' : whereText(where, (name) => model.fields.get(name)),
  };
}

function sameText(field: Field): string {
  const name = column(field);
  if (field.kind.isBoolean) return `int4range(${name}::int4, ${name}::int4, '[]')`;
  return `${rangesOfOne[field.spec.type]}(${name}, ${name}, '[]')`;
}

function column(field: Field): string {
  return compile(ident(field.column as string)).text;
}

/** Whether the field can be part of `same`; whether it can begin or end a range. */
export function canBeSame(field: Field): boolean {
  return field.kind.isBoolean || field.spec.type in rangesOfOne;
}
export function canBound(field: Field): boolean {
  return field.spec.type in ranges;
}
