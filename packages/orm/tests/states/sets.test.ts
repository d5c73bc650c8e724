import { compile } from '@kontor/database';
import { KontorError, parseDomain } from '@kontor/protocol';
import { describe, expect, it } from 'vitest';
import { assembleRegistry } from '../../assemble/assemble-registry.ts';
import { fields } from '../../author/builders.ts';
import { domainToSql } from '../../domain/compile-domain.ts';
import { defineModel, inheritModel } from '../../model/define-model.ts';
import type { ModelDefinition } from '../../model/definition.ts';
import { expandAnswered } from '../../model/expand-sets.ts';
import { tableSpecs } from '../../schema/table-specs.ts';
import { bareEnv } from '../domain/bare-env.ts';

const states = { draft: 'Draft', sent: 'Sent', sale: 'Order', cancel: 'Cancelled' };

const offer = defineModel('shop.offer', {
  fields: {
    name: fields.char(),
    state: fields.selection(states, {
      sets: { open: ['draft', 'sent'], closed: ['sale', 'cancel'] },
      default: 'draft',
    }),
  },
  uniques: { one_open: { fields: ['name'], where: [['state', 'in', 'open']] } },
  states: { field: 'state', removable: ['open', 'cancel'], abandoned: ['cancel'], locks: { closed: ['name'] } },
  moves: {
    confirm: { from: 'open', to: 'sale', label: 'Confirm' },
    cancel: { from: ['open', 'sale'], to: 'cancel', label: 'Cancel' },
  },
});
const line = defineModel('shop.line', {
  fields: {
    offer_id: fields.many2one('shop.offer', { domain: [['state', 'in', 'open']] }),
    state: fields.selection(states, { related: 'offer_id.state', stored: true }),
  },
});

function assemble(...more: ModelDefinition[]) {
  return assembleRegistry([
    { module: 'shop', definitions: [offer, line] },
    { module: 'more', definitions: more },
  ]);
}

function sqlOf(registry: ReturnType<typeof assemble>, model: string, domain: unknown[]) {
  const env = bareEnv(registry, { policy: { access: new Map(), rules: new Map() }, isSudo: true });
  return compile(domainToSql(env, registry.model(model), { kind: 'condition', ...conditionOf(domain) }, 't'));
}
function conditionOf([path, operator, value]: unknown[]) {
  return { path: String(path).split('.'), operator: operator as 'in', value };
}

describe('LAN-1 named sets of states', () => {
  const registry = assemble();

  it('LAN-1 stand for their values in locks, moves and what can be removed', () => {
    const model = registry.model('shop.offer').states;
    expect([...(model?.removable ?? [])]).toEqual(['draft', 'sent', 'cancel']);
    expect([...(model?.locks.keys() ?? [])]).toEqual(['sale', 'cancel']);
    expect([...(model?.moves.get('confirm')?.[0]?.from ?? [])]).toEqual(['draft', 'sent']);
    expect([...(model?.moves.get('cancel')?.[0]?.from ?? [])]).toEqual(['draft', 'sent', 'sale']);
  });

  it('LAN-1 LAN-3 stand for their values in domains that code answers for a dialog or a form', () => {
    const { fields: lineFields } = registry.model('shop.line');
    const other = [['name', '=', 'x']] as const;
    expect(expandAnswered(registry, lineFields, { offer_id: [['state', 'in', 'open']], name: other })).toEqual({
      ...{ offer_id: [['state', 'in', ['draft', 'sent']]], name: other },
    });
    expect(() => expandAnswered(registry, lineFields, { offer_id: [['state', 'in', 'opn']] })).toThrow(
      'has no set "opn"',
    );
  });

  it('LAN-1 stand for their values in domains of the server, through relations and in related fields', () => {
    const [found, through, related] = [
      sqlOf(registry, 'shop.offer', ['state', 'in', 'open']),
      sqlOf(registry, 'shop.line', ['offer_id.state', 'not in', 'closed']),
      sqlOf(registry, 'shop.line', ['state', 'in', 'closed']),
    ];
    expect(found.values).toEqual([['draft', 'sent']]);
    expect(through.values).toEqual([['sale', 'cancel']]);
    expect(related.values).toEqual([['sale', 'cancel']]);
  });

  it('LAN-1 stand for their values in a unique of some rows and in the domain of a relation', () => {
    const [table] = tableSpecs(registry).filter(({ name }) => name === 'shop_offer');
    expect(JSON.stringify(table)).toContain("in ('draft', 'sent')");
    expect(registry.model('shop.line').fields.get('offer_id')?.domain).toMatchObject({ value: ['draft', 'sent'] });
  });

  it('LAN-1 take the states that an extension adds', () => {
    const more = inheritModel('shop.offer', {
      fields: { state: fields.selection({ review: 'In review' }, { sets: { open: ['review'] } }) },
    });
    const extended = assemble(more);
    expect(sqlOf(extended, 'shop.offer', ['state', 'in', 'open']).values).toEqual([['draft', 'sent', 'review']]);
    const confirm = extended.model('shop.offer').states?.moves.get('confirm')?.[0];
    expect([...(confirm?.from ?? [])]).toEqual(['draft', 'sent', 'review']);
  });

  it('LAN-1 are refused with the nearest name where there is no such set', () => {
    expect(() => sqlOf(registry, 'shop.offer', ['state', 'in', 'opn'])).toThrow('has no set "opn"');
    expect(() => sqlOf(registry, 'shop.offer', ['state', 'in', 'opn'])).toThrow('Did you mean "open"?');
    expect(() => sqlOf(registry, 'shop.offer', ['name', 'in', 'open'])).toThrow(KontorError);
  });

  it('LAN-1 are of choices that exist, under a name that no choice has', () => {
    const wrong = (sets: Record<string, string[]>) =>
      assembleRegistry([
        {
          module: 'x',
          definitions: [
            defineModel('x.y', { fields: { state: fields.selection({ a: 'A', b: 'B' }, { sets: sets as never }) } }),
          ],
        },
      ]);
    expect(() => wrong({ a: ['b'] })).toThrow('its set "a" has the name of a choice');
    expect(() => wrong({ some: ['c'] })).toThrow('its set "some" has "c", which is no value');
    expect(() => wrong({ some: [] })).toThrow('its set "some" is empty');
  });

  it('LAN-3 are not part of the wire contract: callers send lists', () => {
    expect(() => parseDomain([['state', 'in', 'open']])).toThrow('"in" needs an array');
  });
});
