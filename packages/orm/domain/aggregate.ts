import { join, type Sql, sql } from '@kontor/database';
import type { ComputeByAggregate } from '../model/behaviour.ts';
import type { Model } from '../model/model.ts';
import { allOf } from './combine.ts';
import type { Compiler } from './compiler.ts';
import { knownField } from './known-field.ts';
import { type Reach, reach } from './reach.ts';

/** Over all lines, whoever asks: the value is the record's, as it would be if it were stored. */
export function aggregateSql(compiler: Compiler, model: Model, compute: ComputeByAggregate, alias: string): Sql {
  const [kind, path] = Object.entries(compute)[0] as ['sum' | 'count' | 'min' | 'max', string];
  const steps = path.split('.');
  const leaf = kind === 'count' ? null : (steps.pop() as string);
  const server = compiler.trusted({ appliesRules: false });
  const hops = follow(server, model, steps, alias);
  const end = hops.at(-1);
  const value = leaf === null ? null : server.path(end?.target ?? model, [leaf], end?.alias ?? alias);
  const tables = join(hops.map((hop) => hop.from));
  return sql`(select ${measure(kind, value)} from ${tables} where ${allOf(hops.map((hop) => hop.link))})`;
}

function follow(compiler: Compiler, model: Model, steps: readonly string[], alias: string): readonly Reach[] {
  const hops: Reach[] = [];
  for (const step of steps) {
    const from = hops.at(-1) ?? { target: model, alias };
    hops.push(reach(compiler, { model: from.target, field: knownField(from.target, step), alias: from.alias }));
  }
  return hops;
}

function measure(kind: 'sum' | 'count' | 'min' | 'max', value: Sql | null): Sql {
  switch (kind) {
    case 'sum':
      return sql`coalesce(sum(${value}), 0)`;
    case 'count':
      return sql`count(*)::int4`;
    case 'min':
      return sql`min(${value})`;
    case 'max':
      return sql`max(${value})`;
  }
}
