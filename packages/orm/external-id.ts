import { ident, sql } from '@kontor/database';
import { didYouMean, invalidArgs, KontorError, nearest } from '@kontor/protocol';
import type { Env } from './model/model.ts';

/** The record behind `module.name`. External ids are the server's own, so no rights are asked for. */
export async function refer(env: Env, externalId: string): Promise<number> {
  const dot = externalId.indexOf('.');
  if (dot < 1 || dot === externalId.length - 1) {
    throw invalidArgs(`"${externalId}" is not an external id such as base.group_user.`);
  }
  const [module, name] = [externalId.slice(0, dot), externalId.slice(dot + 1)];
  const table = ident(env.registry.model('sys.model.data').table);
  const [row] = await env.db.arrays(
    sql`select res_id from ${table} where module = ${module} and name = ${name} and res_id <> 0`,
  );
  if (row !== undefined) return row[0] as number;
  const others = await env.db.arrays(sql`select module || '.' || name from ${table} where res_id <> 0`);
  const known = others.map(([other]) => other as string);
  const hint = nearest(externalId, known);
  throw new KontorError('NOT_FOUND', `There is no record ${externalId}.${didYouMean(externalId, known)}`, {
    external_id: externalId,
    ...(hint === null ? {} : { hint }),
  });
}
