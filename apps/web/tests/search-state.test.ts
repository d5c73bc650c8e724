import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptySearch, parseSearch, refine, toHref, toQuery } from '../search/search-state.ts';

describe('the address is the state', () => {
  it('reads what a workspace is asked for', () => {
    const query =
      'action=7&menu_id=3&view_type=list&q=lines&filter=mine,open&group_by=stage_id,date:month&sort=-date&offset=80&month=2026-11';
    expect(parseSearch(query)).toEqual({
      ...emptySearch,
      action: '7',
      menuId: '3',
      viewType: 'list',
      text: 'lines',
      filters: ['mine', 'open'],
      groupBy: ['stage_id', 'date:month'],
      sort: '-date',
      offset: 80,
      extra: { month: '2026-11' },
    });
  });

  it('tells no filters from filters as the action says', () => {
    expect(parseSearch('action=1').filters).toBeNull();
    expect(parseSearch('action=1&filter=').filters).toEqual([]);
    expect(toQuery({ ...emptySearch, action: '1', filters: [] })).toBe('action=1&filter=');
  });

  it('leaves out a domain that somebody broke', () => {
    expect(parseSearch('model=a.b&domain=[["x"').domain).toEqual([]);
    expect(parseSearch('model=a.b&domain=[["x","~",1]]').domain).toEqual([]);
    expect(parseSearch('model=a.b&domain=[["x","=",1]]').domain).toEqual([['x', '=', 1]]);
  });

  it('gives the same state back, whatever it is', () => {
    const name = fc.stringMatching(/^[a-z_]{1,12}$/);
    const state = fc.record({
      action: fc.constantFrom('', '4', 'sale.orders'),
      model: fc.constant(''),
      menuId: fc.constantFrom('', '9'),
      viewType: fc.constantFrom('', 'list', 'form'),
      recordId: fc.nat(9999),
      isEditing: fc.boolean(),
      text: fc.string(),
      filters: fc.option(fc.array(name)),
      groupBy: fc.option(fc.array(name)),
      domain: fc.constantFrom([], [['name', 'ilike', 'ö & ü']] as const),
      sort: fc.constantFrom('', 'name', '-date, name'),
      offset: fc.nat(9999),
      limit: fc.nat(500),
      extra: fc.constantFrom({}, { month: '2026-11' }),
    });
    fc.assert(fc.property(state, (given) => void expect(parseSearch(toQuery(given))).toEqual(given)));
  });

  it('starts at the first page when the search changes', () => {
    expect(toHref(refine({ ...emptySearch, action: '1', offset: 80 }, { text: 'a' }))).toBe('/web?action=1&q=a');
  });
});
