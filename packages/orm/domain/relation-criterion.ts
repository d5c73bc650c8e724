import { type Sql, sql } from '@kontor/database';
import { type Criterion, valueTypes } from '@kontor/protocol';
import { anyOf, truth } from './combine.ts';
import type { Compiler } from './compiler.ts';
import { hierarchySql } from './hierarchy.ts';
import { type FieldPlace, reach, relatedModel } from './reach.ts';
import { scalarSql } from './scalar-criterion.ts';

type Members = Extract<Criterion, { kind: 'members' }>;

/** An id is a value of the record itself and needs no look at the related one; its name and its place in a tree do. */
export function many2oneSql(compiler: Compiler, place: FieldPlace, criterion: Criterion, isNegated: boolean): Sql {
  const id = compiler.field(place.model, place.field, place.alias);
  switch (criterion.kind) {
    case 'members': {
      const ids = { ...criterion, names: [] };
      if (criterion.names.length === 0) return scalarSql(id, valueTypes.id, ids, isNegated);
      const holds = anyOf([scalarSql(id, valueTypes.id, ids, false), named(compiler, place, criterion)]);
      return isNegated ? sql`${holds} is not true` : holds;
    }
    case 'hierarchy': {
      const target = relatedModel(compiler, place.field);
      if (!compiler.appliesRules || compiler.visible(target, place.alias) === null) {
        const inside = hierarchySql(compiler, target, criterion, id);
        return isNegated ? sql`(${inside}) is not true` : inside;
      }
      return someRecord(compiler, place, criterion, isNegated);
    }
    default:
      return someRecord(compiler, place, criterion, isNegated);
  }
}

/** "Some line", and negated "no line"; empty is to have no line that may be seen. */
export function x2manySql(compiler: Compiler, place: FieldPlace, criterion: Criterion, isNegated: boolean): Sql {
  if (criterion.kind !== 'members') return someRecord(compiler, place, criterion, isNegated);
  const parts: Sql[] = [];
  if (criterion.values.length > 0) {
    const lines = reach(compiler, place, { idsOnly: true });
    parts.push(lines.exists(() => scalarSql(lines.id, valueTypes.id, { ...criterion, matchesEmpty: false }, false)));
  }
  if (criterion.names.length > 0) parts.push(named(compiler, place, criterion));
  if (criterion.matchesEmpty) parts.push(sql`not ${reach(compiler, place, { idsOnly: true }).exists()}`);
  const holds = anyOf(parts);
  return isNegated ? sql`not ${holds}` : holds;
}

function named(compiler: Compiler, place: FieldPlace, { names }: Members): Sql {
  const related = reach(compiler, place);
  const criterion = { kind: 'members', values: names, names: [], matchesEmpty: false } as const;
  return related.exists((alias) =>
    scalarSql(compiler.displayName(related.target, alias), valueTypes.text, criterion, false),
  );
}

function someRecord(compiler: Compiler, place: FieldPlace, criterion: Criterion, isNegated: boolean): Sql {
  if (criterion.kind === 'pattern' && criterion.matchesEmpty) return truth(!isNegated);
  const related = reach(compiler, place);
  const exists = related.exists((alias) =>
    criterion.kind === 'hierarchy'
      ? hierarchySql(compiler, related.target, criterion, related.id)
      : scalarSql(compiler.displayName(related.target, alias), valueTypes.text, criterion, false),
  );
  return isNegated ? sql`not ${exists}` : exists;
}
