import type { Domain, WorkspacePayload } from '@kontor/protocol';
import { beforeAll, describe, expect, it } from 'vitest';
import { topConditions, withCondition, withoutCondition } from '../fields/domain/domain-value.ts';
import { domainWords } from '../fields/domain/domain-words.ts';
import { effectiveSearch, withSaved } from '../search/effective-search.ts';
import { searchChips } from '../search/search-bar.tsx';
import { emptySearch, parseSearch, refine, searchQuery, toQuery, workspaceQuery } from '../search/search-state.ts';
import { archField as field } from './arch-field.ts';
import { testBootstrap } from './bootstrap.ts';

const fields = [
  field('name', 'char', { label: 'Subject' }),
  field('amount', 'monetary', { label: 'Amount' }),
  field('state', 'selection', {
    label: 'State',
    selection: [
      ['open', 'Open'],
      ['won', 'Won'],
    ],
  }),
];
const filter = (name: string, section: number) => ({
  name,
  label: name,
  domain: [['state', '=', name]] as Domain,
  groupBy: null,
  section,
  isDefault: false,
});
const workspace = (saved: object[] = []) =>
  ({
    listFilter: 'open',
    arch: { fields, search: { filters: [filter('open', 0), filter('won', 0), filter('mine', 1)], fields: [], saved } },
  }) as unknown as WorkspacePayload;

beforeAll(() => void testBootstrap());

describe('the address as the state of a search', () => {
  const full =
    'action=crm.pipeline&view_type=kanban&q=oak&filter=open%2Cmine&group_by=stage_id%2Cdate%3Amonth&domain=%5B%5B%22amount%22%2C%22%3E%22%2C5%5D%5D&sort=-amount&offset=80&from=2026-11-01';

  it('keeps how a view draws in saved searches, and does not ask the server for it', () => {
    const state = parseSearch('action=sale.orders&q=oak&measure=amount%3Asum&kind=line&active_ids=3');
    expect(searchQuery(state)).toBe('q=oak&kind=line&measure=amount%3Asum');
    expect(workspaceQuery(state)).toBe('action=sale.orders&q=oak&active_ids=3');
    const saved = { id: 1, name: '', isShared: false, isMine: true, isDefault: true, query: 'kind=pie&top=3' };
    const found = withSaved(state, saved);
    expect(found.extra).toEqual({ active_ids: '3', kind: 'pie', top: '3' });
    const untouched = parseSearch('action=sale.orders&kind=line');
    expect(effectiveSearch(workspace([saved]), untouched).extra).toEqual({ kind: 'line', top: '3' });
  });

  it('says a period that moves with the calendar in one chip, and takes it away whole', () => {
    const domain: Domain = [
      ['date', '>=', '$year'],
      ['date', '<', '$year+1'],
      ['state', '=', 'won'],
    ];
    const search = { ...emptySearch, filters: [], domain };
    const chips = searchChips(workspace(), search, {
      fields: [...fields, field('date', 'date', { label: 'Date' })],
      words: domainWords,
    });
    expect(chips.map(({ label }) => label)).toEqual(['Date: This year', 'State: Won']);
    expect(chips[0]?.without).toEqual({ domain: [['state', '=', 'won']] });
  });

  it('reads and writes the same address', () => {
    expect(toQuery(parseSearch(full))).toBe(full);
    expect(parseSearch(full)).toMatchObject({
      filters: ['open', 'mine'],
      groupBy: ['stage_id', 'date:month'],
      domain: [['amount', '>', 5]],
      extra: { from: '2026-11-01' },
    });
  });

  it('tells no filters from no word about filters', () => {
    expect(parseSearch('').filters).toBeNull();
    expect(parseSearch('filter=').filters).toEqual([]);
    expect(toQuery({ ...emptySearch, filters: [] })).toBe('filter=');
  });

  it('leaves out a domain that somebody broke', () => {
    expect(parseSearch('domain=%5B%5B1').domain).toEqual([]);
    expect(parseSearch('domain=%5B%5B%22a%22%2C%22nonsense%22%2C1%5D%5D').domain).toEqual([]);
  });

  it('starts at the first page again when the search changes', () => {
    expect(refine(parseSearch(full), { text: 'ash' })).toMatchObject({ text: 'ash', offset: 0 });
  });

  it('saves what is looked for, not where', () => {
    const kept = searchQuery(parseSearch(full));
    expect(kept).not.toContain('action');
    expect(kept).not.toContain('offset');
    expect(parseSearch(kept)).toMatchObject({ text: 'oak', sort: '-amount', filters: ['open', 'mine'] });
  });

  it('applies the default search of the person where the address is silent', () => {
    const mine = {
      id: 1,
      name: 'Big',
      isDefault: true,
      query: 'q=oak&domain=%5B%5B%22amount%22%2C%22%3E%22%2C5%5D%5D',
    };
    expect(effectiveSearch(workspace([mine]), emptySearch)).toMatchObject({
      text: 'oak',
      filters: [],
      domain: [['amount', '>', 5]],
    });
    const asked = { ...emptySearch, filters: ['won'] };
    expect(effectiveSearch(workspace([mine]), asked)).toMatchObject({ text: '', filters: ['won'], domain: [] });
    expect(effectiveSearch(workspace(), emptySearch).filters).toEqual(['open']);
    const opening = {
      ...workspace(),
      arch: {
        ...workspace().arch,
        search: { ...workspace().arch.search, opening: 'domain=[["a","=",1]]&compare=year' },
      },
    };
    expect(effectiveSearch(opening, emptySearch)).toMatchObject({
      ...{ filters: ['open'], domain: [['a', '=', 1]], extra: { compare: 'year' } },
    });
    expect(effectiveSearch(opening, { ...emptySearch, filters: [] })).toMatchObject({ domain: [], extra: {} });
  });
});

describe('conditions and chips', () => {
  it('adds a second value of a field to the first', () => {
    const one = withCondition([], ['state', '=', 'open']);
    expect(withCondition(one, ['state', '=', 'won'])).toEqual([['state', 'in', ['open', 'won']]]);
    expect(withCondition(one, ['name', 'ilike', 'a'])).toHaveLength(2);
  });

  it('takes one of several away, groups included', () => {
    const domain: Domain = [['amount', '>', 5], '|', ['state', '=', 'open'], ['name', 'ilike', 'a']];
    expect(topConditions(domain)).toHaveLength(2);
    expect(withoutCondition(domain, 0)).toEqual(['|', ['state', '=', 'open'], ['name', 'ilike', 'a']]);
    expect(withoutCondition(domain, 1)).toEqual([['amount', '>', 5]]);
  });

  it('says them in words', () => {
    const words = (domain: Domain) => topConditions(domain).map((node) => domainWords(node, fields));
    expect(words([['amount', '>', 1500]])).toEqual(['Amount is more than 1,500']);
    expect(words([['state', 'in', ['open', 'won']]])).toEqual(['State: Open, Won']);
    expect(words(['|', ['name', 'ilike', 'oak'], ['name', '=', null]])).toEqual([
      'Subject contains oak or Subject is empty',
    ]);
    expect(words([['partner_id.city', '=', 'Rome']])).toEqual(['partner_id › city: Rome']);
  });

  it('makes one chip of the filters of a section', () => {
    const search = { ...emptySearch, filters: ['open', 'won', 'mine'], domain: [['amount', '>', 5]] as Domain };
    const chips = searchChips(workspace(), search, { fields, words: domainWords });
    expect(chips.map(({ label }) => label)).toEqual(['open, won', 'mine', 'Amount is more than 5']);
    expect(chips[0]?.without).toEqual({ filters: ['mine'] });
    expect(chips[2]?.without).toEqual({ domain: [] });
  });
});
