import { type Domain, parseDomain } from '@kontor/protocol';

/**
 * The complete state of a workspace. The URL is its only home: read it with `parseSearch`, change it by navigating to
 * `toHref({ ...state, … })`. `null` means "as the action says", an empty list means "none".
 */
export interface SearchState {
  /** Id or external id; empty when the workspace is opened by model. */
  readonly action: string;
  readonly model: string;
  readonly menuId: string;
  readonly viewType: string;
  /** 0 when none. A form with id 0 is a new record. */
  readonly recordId: number;
  readonly isEditing: boolean;
  /** Free text over the view's columns. */
  readonly text: string;
  /** Names of filters of the search view. */
  readonly filters: readonly string[] | null;
  /** `field` or `field:granularity`, outermost first. */
  readonly groupBy: readonly string[] | null;
  /** Custom conditions: each top-level condition is one chip. */
  readonly domain: Domain;
  /** `field` or `-field`, comma-separated. */
  readonly sort: string;
  readonly offset: number;
  /** 0: the server's page size. */
  readonly limit: number;
  /** Parameters of some views, such as a measure or the month of a calendar. Kept when other parts change. */
  readonly extra: Readonly<Record<string, string>>;
}

/** A search without any conditions. */
export const emptySearch: SearchState = {
  action: '',
  model: '',
  menuId: '',
  viewType: '',
  recordId: 0,
  isEditing: false,
  text: '',
  filters: null,
  groupBy: null,
  domain: [],
  sort: '',
  offset: 0,
  limit: 0,
  extra: {},
};

/**
 * View options: kept in the URL and in saved searches, but not sent to the server with the workspace, except for those
 * that decide which records are loaded and how.
 */
const viewKeys = new Set(
  'measure columns kind compare top order running target show currency convert interval start stop mode scale color hide_color hide_people critical load at area route'.split(
    ' ',
  ),
);
const askedKeys = new Set(['scale', 'color', 'area', 'critical', 'convert']);
const known = new Set('action menu_id view_type id edit model q filter group_by domain sort offset limit'.split(' '));

/** Reads the state of a screen from its URL. */
export function parseSearch(query: string): SearchState {
  const params = new URLSearchParams(query);
  const text = (name: string) => params.get(name) ?? '';
  return {
    action: text('action'),
    model: text('model'),
    menuId: text('menu_id'),
    viewType: text('view_type'),
    recordId: wholeNumber(text('id')),
    isEditing: text('edit') === '1',
    text: text('q'),
    filters: nameList(params, 'filter'),
    groupBy: nameList(params, 'group_by'),
    domain: readDomain(text('domain')),
    sort: text('sort'),
    offset: wholeNumber(text('offset')),
    limit: wholeNumber(text('limit')),
    extra: Object.fromEntries([...params].filter(([name]) => !known.has(name))),
  };
}

/** The query string of a state. The same state always gives the same string, so it can be a cache key. */
export function toQuery(state: SearchState): string {
  const params = new URLSearchParams();
  const put = (name: string, value: string | number) => {
    if (value !== '' && value !== 0) params.set(name, String(value));
  };
  put('action', state.action);
  if (state.action === '') put('model', state.model);
  put('menu_id', state.menuId);
  put('view_type', state.viewType);
  put('id', state.recordId);
  put('edit', state.isEditing ? 1 : 0);
  put('q', state.text);
  if (state.filters) params.set('filter', state.filters.join(','));
  if (state.groupBy) params.set('group_by', state.groupBy.join(','));
  if (state.domain.length > 0) params.set('domain', JSON.stringify(state.domain));
  put('sort', state.sort);
  put('offset', state.offset);
  put('limit', state.limit);
  for (const name of Object.keys(state.extra).sort()) put(name, state.extra[name] as string);
  return params.toString();
}

/** The query sent to the server: two URLs that differ only in view options are the same workspace. */
export function workspaceQuery(state: SearchState): string {
  // The colour field may not be part of the view, so its values must be requested with the records.
  const asked = Object.entries(state.extra).filter(([name]) => !viewKeys.has(name) || askedKeys.has(name));
  return toQuery({ ...state, extra: Object.fromEntries(asked) });
}

/** The URL of a workspace in this state. */
export function toHref(state: SearchState): string {
  return `/web?${toQuery(state)}`;
}

/** Changes the search and goes back to the first page. */
export function refine(state: SearchState, change: Partial<SearchState>): SearchState {
  return { ...state, offset: 0, ...change };
}

/** The URL contains no search: the user's default search applies, or the view's filters. */
export function isUntouched({ text, filters, groupBy, domain, sort }: SearchState): boolean {
  return text === '' && filters === null && groupBy === null && domain.length === 0 && sort === '';
}

/** What a saved search contains: the search and the view options, but not the page. */
export function searchQuery({ text, filters, groupBy, domain, sort, extra }: SearchState): string {
  return toQuery({ ...emptySearch, text, filters, groupBy, domain, sort, extra: splitExtra(extra, true) });
}

/** The view options, or everything else. */
export function splitExtra(extra: SearchState['extra'], isOfView: boolean): SearchState['extra'] {
  return Object.fromEntries(Object.entries(extra).filter(([name]) => viewKeys.has(name) === isOfView));
}

function wholeNumber(text: string): number {
  return /^\d{1,10}$/.test(text) ? Number(text) : 0;
}

function nameList(params: URLSearchParams, name: string): readonly string[] | null {
  const given = params.get(name);
  return given === null ? null : given.split(',').filter((one) => one !== '');
}

/** Ignores a domain that was edited by hand and is invalid; the server would reject the whole screen. */
function readDomain(text: string): Domain {
  if (text === '') return [];
  try {
    const domain = JSON.parse(text) as Domain;
    parseDomain(domain);
    return domain;
  } catch {
    return [];
  }
}
