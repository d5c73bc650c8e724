import { type Env, findRecords } from '@kontor/orm';
import type { Domain } from '@kontor/protocol';

/** Longer addresses are rejected by some servers and proxies. */
const maxLength = 4_000;
const maxRanges = 30;
const maxListed = 200;

interface Written {
  readonly model: string;
  /** Where the user came from. */
  readonly next: string | null;
  readonly ids: readonly number[];
}

/** The address of a list with exactly these records; null if there are none. */
export async function recordsPath(env: Env, { model, next, ids }: Written): Promise<string | null> {
  if (ids.length === 0) return null;
  const params = new URLSearchParams();
  const place = new URL(next ?? '/web', 'http://kontor.invalid').searchParams;
  const action = place.get('action') ?? '';
  if (await showsAll(env, model, action)) {
    params.set('action', action);
    if (place.has('menu_id')) params.set('menu_id', place.get('menu_id') as string);
  } else params.set('model', model);
  params.set('view_type', 'list');
  // Filters and groups that the screen opens with would hide some of them.
  params.set('filter', '');
  params.set('group_by', '');
  params.set('domain', JSON.stringify(await domainOf(env, model, ids)));
  return `/web?${params}`;
}

/** A screen with its own filter might omit some of these. */
async function showsAll(env: Env, model: string, action: string): Promise<boolean> {
  if (action === '') return false;
  const actions = env.registry.model('sys.action.window');
  const id = /^\d{1,9}$/.test(action) ? Number(action) : (await findRecords(env.sudo(), actions, [action])).get(action);
  if (id === undefined) return false;
  // The existence of screens is not secret; the screen itself checks whether the user may open it.
  const [found] = await env
    .sudo()
    .model('sys.action.window')
    .searchRead([['id', '=', id]], ['model', 'domain']);
  const domain = found?.domain;
  return found?.model === model && (!Array.isArray(domain) || domain.length === 0);
}

/** By id, or by id ranges: records created one after the other have consecutive ids. */
async function domainOf(env: Env, model: string, ids: readonly number[]): Promise<Domain> {
  const sorted = [...new Set(ids)].sort((a, b) => a - b);
  const domain = sorted.length <= maxListed ? ([['id', 'in', sorted]] as Domain) : byRanges(sorted);
  const isShort = domain !== null && encodeURIComponent(JSON.stringify(domain)).length <= maxLength;
  const chosen = isShort ? domain : await byMoment(env, model, sorted);
  const isWhole = !env.registry.model(model).hasActive || (await archivedAmong(env, model, sorted)) === false;
  return isWhole ? chosen : [...chosen, ['active', 'in', [true, false]]];
}

/** Null if there are too many. */
function byRanges(sorted: readonly number[]): Domain | null {
  const ranges: [number, number][] = [];
  for (const id of sorted) {
    const last = ranges.at(-1);
    if (last && last[1] === id - 1) last[1] = id;
    else if (ranges.push([id, id]) > maxRanges) return null;
  }
  const terms = ranges.flatMap(([from, to]): Domain[number][] => ['&', ['id', '>=', from], ['id', '<=', to]]);
  // One condition, so that it is one chip in the search bar; repeating the first id does no harm.
  return [...ranges.map((): Domain[number] => '|'), ...terms, ['id', '=', sorted[0] as number]];
}

/** Many scattered records: those that the import wrote have the same write time and user. */
async function byMoment(env: Env, model: string, sorted: readonly number[]): Promise<Domain> {
  const [first] = await env.model(model).searchRead([['id', '=', sorted[0] as number]], ['write_date']);
  return [
    ['write_uid', '=', env.uid],
    ['write_date', '=', String(first?.write_date ?? '')],
  ];
}

/** Archived records are listed only on request. */
async function archivedAmong(env: Env, model: string, sorted: readonly number[]): Promise<boolean> {
  const between: Domain = [
    ['active', '=', false],
    ['id', '>=', sorted[0] as number],
    ['id', '<=', sorted.at(-1) as number],
  ];
  const archived = await env.model(model).search(between, { limit: 1_000 });
  const own = new Set(sorted);
  return archived.length >= 1_000 || archived.some((id) => own.has(id));
}
