import { ident, join, type Sql, sql } from '@kontor/database';
import { accessDenied, parseDomain, ValidationError } from '@kontor/protocol';
import { checkModelAccess } from '../access/model-access.ts';
import { rulePredicate } from '../access/rule-predicate.ts';
import { domainToSql } from '../domain/domain-to-sql.ts';
import type { Env } from '../env.ts';
import type { Field, Model } from '../model/model.ts';

/** A record that a relation is about to point at. */
export interface Link {
  readonly field: Field;
  readonly id: number;
  /** The caller chose it, so it must be one that they may read and that the field's domain allows. */
  readonly isChosen: boolean;
  /** Company of the record that links; undefined where it does not matter. */
  readonly companyId?: number | null | undefined;
}

interface Target {
  readonly field: Field;
  readonly model: Model;
  readonly links: readonly Link[];
  readonly query: Sql;
}

/** Refuses links to records that are hidden from the caller, outside the field's domain or of another company. One statement. */
export async function checkLinks(env: Env, operation: 'create' | 'write', links: readonly Link[]): Promise<void> {
  const targets = [...byField(links)].flatMap(([field, own]) => target(env, field, own) ?? []);
  if (targets.length === 0) return;
  const queries = targets.map(({ query }, index) => sql`select ${index}::int4, checked.* from (${query}) checked`);
  const rows = await env.db.arrays(join(queries, sql` union all `));
  const found = new Map(rows.map((row) => [`${row[0]}:${row[1]}`, row]));
  for (const [index, { field, model, links: own }] of targets.entries()) {
    for (const link of own) {
      const row = found.get(`${index}:${link.id}`);
      if (row === undefined) throw refused(field, `${model.label} ${link.id} does not exist.`);
      checkTarget(
        link,
        model,
        { isReadable: row[2] === true, fits: row[3] === true, companyId: row[4] as number | null },
        operation,
      );
    }
  }
}

function byField(links: readonly Link[]): Map<Field, Link[]> {
  const grouped = new Map<Field, Link[]>();
  for (const link of links) {
    const known = grouped.get(link.field);
    if (known) known.push(link);
    else grouped.set(link.field, [link]);
  }
  return grouped;
}

function target(env: Env, field: Field, links: readonly Link[]): Target | null {
  const model = env.registry.model(field.spec.relation as string);
  const isChosen = !env.isSudo && links.some((link) => link.isChosen);
  if (isChosen) checkModelAccess(env, model, 'read');
  const readable = isChosen ? rulePredicate(env, model, 'read', 'r') : null;
  // The domain is the field author's, not the caller's: it may read what the caller may not.
  const fits =
    isChosen && field.spec.domain ? domainToSql(env.sudo(), model, parseDomain(field.spec.domain), 'r') : null;
  const hasCompany = field.spec.checkCompany === true && model.hasCompany;
  if (readable === null && fits === null && !hasCompany) return null;
  const ids = [...new Set(links.map((link) => link.id))];
  const query = sql`
    select r.id, ${readable ?? sql`true`}, ${fits ?? sql`true`}, ${hasCompany ? ident('r', 'company_id') : sql`null::int4`}
    from ${ident(model.table)} r where r.id = any(${ids}::int4[])`;
  return { field, model, links, query };
}

interface Verdict {
  readonly isReadable: boolean;
  readonly fits: boolean;
  readonly companyId: number | null;
}

function checkTarget(link: Link, model: Model, verdict: Verdict, operation: 'create' | 'write'): void {
  const { field } = link;
  if (link.isChosen && !verdict.isReadable) {
    throw accessDenied(field.model, operation, 'rule', {
      field: field.name,
      message: `${field.label}: you may not use ${model.label} ${link.id}.`,
    });
  }
  if (link.isChosen && !verdict.fits) throw refused(field, `${model.label} ${link.id} cannot be chosen here.`);
  if (field.spec.checkCompany !== true || link.companyId === undefined || verdict.companyId === null) return;
  if (verdict.companyId !== link.companyId)
    throw refused(field, `${model.label} ${link.id} belongs to another company.`);
}

function refused(field: Field, message: string): ValidationError {
  return new ValidationError({ [field.name]: [message] }, `${field.label}: ${message}`);
}
