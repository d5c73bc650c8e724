import { type Sql, sql } from '@kontor/database';
import { createCompiler } from '../domain/compile-domain.ts';
import { type LinkToAsk, linkConditions } from '../given/check-links.ts';
import type { Env } from '../model/model.ts';

/** That a relation points nowhere, or where it may; null: nothing restricts it, unknown: it depends on more than the caller's rights. */
export function linkMayBe(env: Env, link: LinkToAsk): Sql | null | 'unknown' {
  const { field } = link;
  const target = env.registry.model(field.spec.relation as string);
  const readers = createCompiler(env, 'r');
  readers.rules(target, 'read', 'r');
  const author = createCompiler(env.sudo(), 'r');
  if (field.domain) author.node(target, field.domain, 'r');
  if (!readers.isCacheable || !author.isCacheable) return 'unknown';
  const [exists] = linkConditions(env, [link]);
  return exists ? sql`(${link.id}::int4 is null or ${exists})` : null;
}
