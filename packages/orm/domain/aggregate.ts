import { type Sql, sql } from '@kontor/database';
import { invalidArgs } from '@kontor/protocol';
import type { ComputeByAggregate } from '../model/definition.ts';
import type { Model } from '../model/model.ts';
import type { Compiler } from './compiler.ts';
import { knownField } from './known-field.ts';
import { reach } from './reach.ts';

/** Over all lines, whoever asks: the value is the record's, as it would be if it were stored. */
export function aggregateSql(compiler: Compiler, model: Model, compute: ComputeByAggregate, alias: string): Sql {
  const [kind, path] = Object.entries(compute)[0] as ['sum' | 'count' | 'min' | 'max', string];
  const [name, ...rest] = path.split('.') as [string, ...string[]];
  const field = knownField(model, name);
  if (field.spec.type !== 'one2many' && field.spec.type !== 'many2many') {
    throw invalidArgs(`${model.name}.${name} has no lines to aggregate.`, { field: name });
  }
  const server = compiler.trusted({ appliesRules: false });
  const lines = reach(server, { model, field, alias }, { idsOnly: rest.length === 0 });
  const value = rest.length === 0 ? lines.id : server.path(lines.target, rest, lines.alias);
  return sql`(select ${aggregate(kind, value)} from ${lines.from} where ${lines.link})`;
}

function aggregate(kind: 'sum' | 'count' | 'min' | 'max', value: Sql): Sql {
  switch (kind) {
    case 'sum':
      return sql`coalesce(sum(${value}), 0)`;
    case 'count':
      return sql`count(${value})::int4`;
    case 'min':
      return sql`min(${value})`;
    case 'max':
      return sql`max(${value})`;
  }
}
