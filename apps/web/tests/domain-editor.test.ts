import type { ArchField, Domain } from '@kontor/protocol';
import { describe, expect, it } from 'vitest';
import { choiceOf, operatorChoices } from '../fields/domain/operators.ts';
import {
  editItem,
  emptyGroup,
  incompleteRules,
  newRule,
  type Rule,
  toDomain,
  toRules,
} from '../fields/domain/rule-tree.ts';

const fields = (
  [
    ['name', 'char'],
    ['amount', 'monetary'],
    ['due', 'date'],
    ['state', 'selection'],
    ['partner_id', 'many2one'],
    ['is_late', 'boolean'],
  ] as const
).map(([name, type]) => ({ name, type, label: name }) as unknown as ArchField);
const rules = (domain: Domain) => toRules(domain, fields);

describe('the domain editor', () => {
  const domains: readonly Domain[] = [
    [],
    [['name', 'ilike', 'oak']],
    [
      ['amount', '>=', 10],
      ['due', '<', '2026-11-15'],
    ],
    ['|', ['state', '=', 'open'], ['partner_id', 'in', [1, 2]]],
    [['is_late', '=', true], '|', ['due', '=', null], ['name', '!=', null]],
    [['partner_id', 'child_of', 7]],
  ];
  it.each(domains.map((domain) => [JSON.stringify(domain), domain] as const))(
    'shows and gives back %s',
    (_, domain) => {
      expect(toDomain(rules(domain))).toEqual(domain);
    },
  );

  it('keeps what it cannot take apart', () => {
    const domain: Domain = [
      ['partner_id.country_id.code', '=', 'SE'],
      '!',
      ['name', '=like', 'A%'],
      ['amount', '>', 1],
    ];
    expect(rules(domain).items.map(({ kind }) => kind)).toEqual(['other', 'other', 'rule']);
    expect(toDomain(rules(domain))).toEqual(domain);
  });

  it('offers words that fit the type', () => {
    expect(operatorChoices('date').map(({ words }) => words)).toContain('is on or before');
    expect(operatorChoices('boolean').map(({ words }) => words)).toEqual(['is yes', 'is no']);
    expect(operatorChoices('binary')).toEqual([]);
    expect(choiceOf('char', '=', null)?.words).toBe('is empty');
    expect(choiceOf('selection', '=', 'open')?.words).toBe('is any of');
  });

  it('knows which conditions lack a value', () => {
    const [name, amount] = fields as [ArchField, ArchField];
    const blank = newRule(name);
    const filled: Rule = { ...newRule(amount), value: 0 };
    const group = { ...emptyGroup('and'), items: [blank, filled] };
    expect(incompleteRules(group)).toEqual([blank]);
  });

  it('changes and removes at any depth, and leaves empty groups out', () => {
    const tree = rules([['amount', '>', 1], '|', ['name', 'ilike', 'a'], ['name', 'ilike', 'b']]);
    const inner = tree.items[1];
    if (inner?.kind !== 'group') throw new Error('The second part is a group.');
    const [first, second] = inner.items as readonly [Rule, Rule];
    const changed = editItem(tree, first.key, (item) => ({ ...(item as Rule), value: 'c' }));
    expect(toDomain(changed)).toEqual([['amount', '>', 1], '|', ['name', 'ilike', 'c'], ['name', 'ilike', 'b']]);
    const bare = editItem(
      editItem(tree, first.key, () => null),
      second.key,
      () => null,
    );
    expect(toDomain(bare)).toEqual([['amount', '>', 1]]);
  });
});
