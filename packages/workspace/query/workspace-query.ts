import { toJson } from '@kontor/orm';
import { type DomainNode, flagOf, invalidArgs, isMoneyTarget, parseDomain, serializeDomain } from '@kontor/protocol';

/** Parameters from the web server: one string, or a list if a name was repeated. */
export type RawQuery = Readonly<Record<string, unknown>>;

/** The request of a workspace. Null: not given, so that the action, the view or the user's default decides. */
export interface WorkspaceQuery {
  readonly action: string;
  readonly menuId: number | null;
  readonly viewType: string | null;
  readonly id: number | null;
  readonly edit: boolean;
  readonly q: string;
  readonly model: string;
  readonly filter: readonly string[] | null;
  readonly sort: string | null;
  readonly offset: number;
  readonly limit: number | null;
  readonly groupBy: readonly string[] | null;
  readonly domain: DomainNode | null;
  readonly context: Readonly<Record<string, unknown>>;
  /** Records that the action was opened from, for `$active_id` and `$active_ids`. */
  readonly activeIds: readonly number[];
  /** The visible range of a calendar, a gantt or a map. */
  readonly from: string | null;
  readonly to: string | null;
  /** The area of a map: south, west, north, east. */
  readonly area: string | null;
  /** The date of a calendar or a gantt, and its scale. */
  readonly date: string | null;
  readonly scale: string | null;
  /** The field that colours the entries, if a user chose another than the view's. */
  readonly color: string | null;
  /** For a list that was opened from figures: their measures, `field:sum` or `field:avg`, shown as columns with totals. */
  readonly figures: readonly string[];
  /** For the form of a board: the tiles to load. Null: all. */
  readonly tiles: readonly number[] | null;
  /** The currency that totals are converted into: a code, or `company`. Null: one total for each currency. */
  readonly convert: string | null;
  /** For a gantt: include the critical path. */
  readonly critical: boolean;
}

export const maxPage = 500;
const maxId = 2_147_483_647;
const maxNames = 50;

/** Parses and checks the parameters of `GET /web/wc/workspace`; INVALID_ARGS names the invalid one. */
export function readWorkspaceQuery(raw: RawQuery): WorkspaceQuery {
  return {
    action: text(raw, 'action').trim(),
    menuId: wholeNumber(raw, 'menu_id'),
    viewType: viewType(raw),
    id: wholeNumber(raw, 'id') || null,
    edit: flag(raw, 'edit'),
    q: text(raw, 'q').trim(),
    model: text(raw, 'model').trim(),
    filter: names(raw, 'filter'),
    sort: text(raw, 'sort').trim() || null,
    offset: wholeNumber(raw, 'offset') ?? 0,
    limit: pageLimit(raw),
    groupBy: names(raw, 'group_by'),
    domain: domain(raw),
    context: context(raw),
    activeIds: recordIds(raw, 'active_ids') ?? [],
    from: text(raw, 'from').trim() || null,
    to: text(raw, 'to').trim() || null,
    area: text(raw, 'area').trim() || null,
    date: text(raw, 'date').trim() || null,
    scale: text(raw, 'scale').trim() || null,
    color: text(raw, 'color').trim() || null,
    figures: names(raw, 'figures') ?? [],
    tiles: recordIds(raw, 'tiles'),
    convert: moneyTarget(raw),
    critical: text(raw, 'critical') === '1',
  };
}

function text(raw: RawQuery, name: string): string {
  const value = Object.hasOwn(raw, name) ? raw[name] : undefined;
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') {
    if (value.includes('\0')) throw invalidArgs(`${name} holds a character that no text has.`, { field: name });
    return value;
  }
  throw invalidArgs(`${name} is given more than once.`, { field: name });
}

function moneyTarget(raw: RawQuery): string | null {
  const given = text(raw, 'convert').trim();
  if (given === '' || isMoneyTarget(given)) return given || null;
  throw invalidArgs('convert must be "company" or the code of a currency.', { field: 'convert' });
}

/** Comma-separated names. An empty string is an explicit choice of none. */
function names(raw: RawQuery, name: string): readonly string[] | null {
  const given = Object.hasOwn(raw, name) ? raw[name] : undefined;
  if (given === undefined || given === null) return null;
  const whole = Array.isArray(given) ? given.join(',') : text(raw, name);
  const list = whole
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const unique = [...new Set(list)];
  if (unique.length > maxNames && name !== 'active_ids') {
    throw invalidArgs(`${name} takes at most ${maxNames} names.`, { field: name });
  }
  return unique;
}

/** An id without a record is not found; it is not invalid. */
function wholeNumber(raw: RawQuery, name: string): number | null {
  const given = text(raw, name).trim();
  if (given === '') return null;
  if (/^\d{1,15}$/.test(given)) return Number(given);
  throw invalidArgs(`${name} must be a whole number, zero or more.`, { field: name });
}

function recordIds(raw: RawQuery, name: 'active_ids' | 'tiles'): readonly number[] | null {
  return names(raw, name)?.map((one) => recordId(one, name)) ?? null;
}

function recordId(given: string, field: string): number {
  const id = /^\d{1,10}$/.test(given) ? Number(given) : 0;
  if (id > 0 && id <= maxId) return id;
  throw invalidArgs(`${field} must be record ids with commas between them.`, { field });
}

function pageLimit(raw: RawQuery): number | null {
  const limit = wholeNumber(raw, 'limit');
  return limit === null ? null : Math.min(limit, maxPage);
}

function flag(raw: RawQuery, name: string): boolean {
  return flagOf(text(raw, name), name);
}

/** Whether the type exists depends on the modules. */
function viewType(raw: RawQuery): string | null {
  return text(raw, 'view_type').trim() || null;
}

function domain(raw: RawQuery): DomainNode | null {
  const value = json(raw, 'domain');
  if (value === undefined) return null;
  if (!Array.isArray(value)) throw invalidArgs('domain must be an array of conditions.', { field: 'domain' });
  return parseDomain(value);
}

function context(raw: RawQuery): Readonly<Record<string, unknown>> {
  const value = json(raw, 'context') ?? {};
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw invalidArgs('context must be an object.', { field: 'context' });
}

function json(raw: RawQuery, name: string): unknown {
  const given = text(raw, name).trim();
  if (given === '') return undefined;
  try {
    return JSON.parse(given);
  } catch {
    throw invalidArgs(`${name} must be JSON.`, { field: name });
  }
}

type Part = readonly [name: string, value: string | number | null];

/** Where the screen is: its action or model, and the menu it was opened from. */
export function placeParts(action: { readonly id: number; readonly model: string }, menuId: string): readonly Part[] {
  return [
    ['action', action.id || null],
    ['model', action.id ? null : action.model],
    ['menu_id', menuId],
  ];
}

/** The search, as far as the caller gave it: it is kept from view to view. */
export function searchParts(query: WorkspaceQuery): readonly Part[] {
  return [
    ['q', query.q],
    ['filter', query.filter?.length === 0 ? '' : (query.filter?.join(',') ?? null)],
    ['group_by', query.groupBy?.length === 0 ? '' : (query.groupBy?.join(',') ?? null)],
    ['domain', query.domain ? toJson(serializeDomain(query.domain)) : null],
    ['sort', query.sort],
    ['date', query.date],
    ['context', Object.keys(query.context).length > 0 ? toJson(query.context) : null],
    ['active_ids', query.activeIds.length > 0 ? query.activeIds.join(',') : null],
  ];
}

/** Null is left out; an empty text is kept only if it has a meaning. */
export function queryString(parts: readonly Part[]): string {
  const query = new URLSearchParams();
  for (const [name, value] of parts) {
    if (value === null || (value === '' && name !== 'filter' && name !== 'group_by')) continue;
    query.append(name, String(value));
  }
  return query.toString();
}

export function workspaceHref(parts: readonly Part[]): string {
  return `/web?${queryString(parts)}`;
}
