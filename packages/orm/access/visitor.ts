import { type Domain, domainTree, type Operation } from '@kontor/protocol';
import { expandDomain } from '../model/expand-sets.ts';
import { fieldsAlong } from '../model/field-at-path.ts';
import type { Registry } from '../model/model.ts';
import type { AccessPolicy, Actor, Scope, Visitor } from '../model/policy.ts';
import { declaredPaths } from '../model/portal-spec.ts';

interface VisitorRights {
  readonly actor: Actor;
  readonly policy: AccessPolicy;
  readonly scope: Scope;
}

/**
 * All paths that a customer may read of a model's records, with the currency that amounts are in; none without a `portal`.
 * ```ts
 * export const shown = (env: Env) => portalPaths(env.registry, 'core.partner');
 * ```
 */
export function portalPaths({ models }: Pick<Registry, 'models'>, model: string): readonly string[] {
  const { portal, fields } = models.get(model) ?? {};
  const currency = fields?.has('currency_id') ? ['currency_id.symbol', 'currency_id.decimal_places'] : [];
  return portal ? [...declaredPaths(portal), ...currency] : [];
}

/**
 * What contacts may read as customers, for `env.visiting`: of their own records exactly what each model declares in `portal`, and of
 * related records the named fields.
 * ```ts
 * export const asCustomer = (env: Env, contact: number) =>
 *   env.visiting({ companyIds: [1], lang: 'de_DE', tz: 'UTC', reads: customerReads(env.registry, [contact]) });
 * ```
 */
export function customerReads(registry: Registry, contacts: readonly number[]): Visitor['reads'] {
  const reads = new Map<string, { domain?: Domain; readonly fields: Set<string> }>();
  const of = (model: string) => {
    const known = reads.get(model) ?? { fields: new Set<string>() };
    reads.set(model, known);
    return known;
  };
  for (const { name, portal } of registry.models.values()) {
    if (!portal) continue;
    of(name).domain = [[portal.customer, 'in', contacts], ...(portal.where ?? [])];
    for (const path of portalPaths(registry, name))
      for (const field of fieldsAlong(registry, name, path.split('.'))) of(field.model).fields.add(field.name);
  }
  return reads;
}

const group = 'visitor';
const onlyRead: ReadonlySet<Operation> = new Set(['read']);
let visitors = 0;

/** Their rights in the terms of everybody else's: access rows, rules, and the fields of a key. */
export function visitorRights(registry: Registry, { companyIds, lang, tz, reads }: Visitor): VisitorRights {
  const row = { group, read: true, write: false, create: false, unlink: false };
  const rule = (model: string, domain: Domain) => ({
    name: 'visitor',
    domain: expandDomain(registry, registry.model(model), domainTree(domain)),
    groups: [],
    operations: onlyRead,
  });
  return {
    actor: {
      uid: 0,
      groups: new Set([group]),
      companyId: companyIds[0] ?? null,
      companyIds,
      shownCompanyIds: companyIds,
      lang,
      tz,
    },
    policy: {
      access: new Map([...reads.keys()].map((model) => [model, [row]])),
      rules: new Map(
        [...reads].flatMap(([model, { domain }]) => (domain ? [[model, [rule(model, domain)]] as const] : [])),
      ),
    },
    scope: {
      key: `visitor ${++visitors}`,
      covers: (model, operation) => operation === 'read' && reads.has(model),
      domain: () => null,
      hasField: (model, field) => field === 'id' || (reads.get(model)?.fields.has(field) ?? false),
    },
  };
}
