import { type Domain, domainTree, type Operation } from '@kontor/protocol';
import { expandDomain } from '../model/expand-sets.ts';
import type { Registry } from '../model/model.ts';
import type { AccessPolicy, Actor, Scope, Visitor } from '../model/policy.ts';

interface VisitorRights {
  readonly actor: Actor;
  readonly policy: AccessPolicy;
  readonly scope: Scope;
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
