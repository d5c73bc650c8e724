import type { Kernel } from '@kontor/kernel';
import { checkModelAccess, checkRecords, type Env, type Model } from '@kontor/orm';
import {
  type Arch,
  type BoardArch,
  fieldType,
  invalidArgs,
  KontorError,
  type ListColumn,
  mostTiles,
  type Projection,
  serializeDomain,
  type TileArch,
  type TileKind,
  type TileScreen,
  text,
  tileKinds,
  tileLines,
  type WireRecord,
} from '@kontor/protocol';
import { findAction } from '../interface/find-action.ts';
import { viewSources } from '../interface/find-view.ts';
import type { Interface } from '../interface/load-interface.ts';
import { findMenu } from '../menus/visible-menus.ts';
import { moneyIn } from '../payload/load-list.ts';
import { loadPlaces } from '../payload/load-map.ts';
import { loadCalendar } from '../payload/load-planning.ts';
import { pathFields } from '../payload/path-fields.ts';
import { searchState } from '../payload/search-state.ts';
import { viewArch } from '../payload/view-arch.ts';
import type { ViewData, ViewRequest } from '../payload/view-request.ts';
import { placeParts, queryString, readWorkspaceQuery } from '../query/workspace-query.ts';
import { type Choices, graphAnswers, MissingMeasure, pivotAnswers } from './tile-answers.ts';

export interface BoardPlace {
  readonly kernel: Kernel;
  readonly env: Env;
  readonly screens: Interface;
}

interface TileRow {
  readonly id: number;
  readonly name: string;
  readonly kind: TileKind;
  readonly width: number;
  readonly height: number;
  readonly action: string;
  readonly model: string;
  readonly query: string;
}

const sideBySide = 6;
const tilePaths = ['name', 'kind', 'width', 'height', 'action', 'model', 'query'];

/** The tiles of a board, or some of them, in parallel: one statement each, as the user. */
export async function loadBoard(
  place: BoardPlace,
  id: number,
  only: readonly number[] | null,
): Promise<BoardArch<Arch>> {
  const { env } = place;
  if (only !== null && only.length > mostTiles) {
    throw invalidArgs(`At most ${mostTiles} tiles at a time.`, { field: 'tiles' });
  }
  const asked = only === null ? [] : [['id', 'in', only] as const];
  const [rows, isOwn] = await Promise.all([
    env.model('sys.board.tile').searchRead([['board_id', '=', id], ...asked], tilePaths, { limit: mostTiles }),
    mayArrange(env, id),
  ]);
  const tiles: Awaited<ReturnType<typeof loadTile>>[] = [];
  // A few at a time: others need connections as well.
  for (let at = 0; at < rows.length; at += sideBySide) {
    const some = rows.slice(at, at + sideBySide);
    tiles.push(...(await Promise.all(some.map((row) => loadTile(place, rowOf(row), isOwn)))));
  }
  return { tiles: tiles.filter((tile) => tile !== null), isOwn };
}

function rowOf(row: WireRecord): TileRow {
  return {
    id: row.id,
    name: String(row.name),
    kind: tileKinds.find((kind) => kind === row.kind) ?? 'list',
    width: Number(row.width),
    height: Number(row.height),
    action: String(row.action ?? ''),
    model: String(row.model ?? ''),
    query: String(row.query ?? ''),
  };
}

async function mayArrange(env: Env, id: number): Promise<boolean> {
  const model = env.registry.model('sys.board');
  try {
    checkModelAccess(env, model, 'write');
    await checkRecords(env, model, [id], 'write');
    return true;
  } catch (error) {
    if (error instanceof KontorError) return false;
    throw error;
  }
}

/**
 * A tile that fails shows its error, and the others are not affected. A tile that the user may not see is not even
 * named.
 */
async function loadTile(place: BoardPlace, row: TileRow, isOwn: boolean): Promise<TileArch<Arch> | null> {
  const { id, name, kind, width, height } = row;
  const frame = { id, kind, width, height };
  try {
    return { ...frame, name, ...(await tileScreen(place, row)) };
  } catch (error) {
    const told = failureOf(place, error, id);
    if (told.code !== 'ACCESS_DENIED' || error instanceof MissingMeasure)
      return { ...frame, name, query: '', screen: null, error: told };
    // Users who may edit the board can still remove it.
    return isOwn ? { ...frame, name: '', query: '', screen: null, error: told } : null;
  }
}

function failureOf({ kernel, screens }: BoardPlace, error: unknown, tile: number) {
  const known = error instanceof KontorError && error.code !== 'INTERNAL_ERROR' ? error : null;
  if (!known) kernel.log.error({ err: error, tile }, 'a tile of a board failed');
  if (known?.code === 'ACCESS_DENIED' && !(known instanceof MissingMeasure)) {
    return { code: known.code, message: screens.translate(text('You may not see this.')) };
  }
  const { code, words } = known ?? new KontorError('INTERNAL_ERROR');
  return { code, message: screens.translate(words) };
}

async function tileScreen(place: BoardPlace, row: TileRow): Promise<Pick<TileArch<Arch>, 'query' | 'screen'>> {
  const { kernel, env, screens } = place;
  const choices = new URLSearchParams(row.query);
  const { action: key, model: named } = row;
  const screen = key === '' ? { model: named } : { action: key };
  const query = readWorkspaceQuery({ ...Object.fromEntries(choices), ...screen });
  const action = findAction(screens, env, query);
  const model = env.registry.model(action.model);
  checkModelAccess(env, model, 'read');
  const viewType = row.kind === 'figure' ? 'graph' : row.kind;
  const view = viewArch(env, viewSources(kernel, env, screens), model.name, viewType);
  const context = { ...action.context, ...query.context };
  const search = searchState({ env, model, action, context, view, query });
  const request: ViewRequest = {
    ...{ env, model, action, search, query, config: kernel.config },
    arch: { ...view.arch, title: action.name },
    projection: view.projection,
    page: { limit: tileLines(row.height) + 1, offset: 0 },
    askedLimit: null,
  };
  const [data, money] = await Promise.all([loaders[row.kind](request, choices), moneyIn(request)]);
  const menuId = findMenu({ screens, env, states: kernel.loaded.states }, null, action.id);
  const { graph, pivot } = data.arch ?? {};
  const groups = [...search.groupBy, ...(graph?.groupBy ?? []), ...(pivot?.columnGroups ?? [])];
  const fields = [...request.arch.fields, ...pathFields(env, model, groups)];
  const drawn = { ...request.arch, ...data.arch, ...money, fields, domain: serializeDomain(search.domain) };
  const opens = row.kind === 'figure' && action.id !== 0 && !action.modes.includes('graph') ? 'list' : viewType;
  return {
    query: `${queryString([...placeParts(action, menuId), ['view_type', opens]])}&${row.query}`,
    screen: {
      ...{ actionId: action.id, menuId, viewType, model: model.name, records: data.records },
      ...{ listTotal: data.total, listFilter: search.filters.join(',') },
      arch: trimmed(drawn),
    } satisfies TileScreen<Arch>,
  };
}

const loaders: Readonly<Record<TileKind, (request: ViewRequest, choices: Choices) => Promise<ViewData>>> = {
  figure: async (request, choices) => ({ records: [], total: 0, arch: await graphAnswers(request, choices, true) }),
  graph: async (request, choices) => ({ records: [], total: 0, arch: await graphAnswers(request, choices, false) }),
  pivot: async (request, choices) => ({ records: [], total: 0, arch: await pivotAnswers(request, choices) }),
  list: loadLines,
  calendar: (request) =>
    loadCalendar({ ...request, query: { ...request.query, date: null, from: null, to: null, scale: 'month' } }),
  map: loadPlaces,
};

const mostColumns = 5;

/** The first rows of a list; one more than fits shows that there are more. */
async function loadLines({ env, model, arch, search, projection, page }: ViewRequest): Promise<ViewData> {
  const columns = (arch.list?.columns ?? []).filter((column) => isPlain(model, column)).slice(0, mostColumns);
  const order = search.order === undefined ? {} : { order: search.order };
  const paths = pathsOf(arch, projection, columns);
  const records = await env.model(model.name).searchRead(search.domain, paths, { ...page, ...order });
  return { records, total: records.length, arch: arch.list ? { list: { ...arch.list, columns } } : {} };
}

/** In the same statement as the record: neither lists nor values computed on read. */
function isPlain(model: Model, { name, optional }: ListColumn): boolean {
  const field = model.fields.get(name);
  if (!field || optional === 'hide' || field.kind.isList) return false;
  return field.isStored || field.related !== null;
}

function pathsOf(arch: Arch, projection: Projection, columns: readonly ListColumn[]): Projection {
  const names = new Set(['id', 'display_name', ...columns.map(({ name }) => name)]);
  for (const { name, currency } of arch.fields) if (names.has(name) && currency) names.add(currency);
  const shown = projection.filter((path) => typeof path === 'string' && names.has(path.split('.', 1)[0] as string));
  return shown.includes('display_name') ? shown : [...shown, 'display_name'];
}

/** Without what only a whole screen shows: fields that the tile does not use, filters, buttons. */
function trimmed(arch: Arch): Arch {
  const groups = [
    ...(arch.graph?.groupBy ?? []),
    ...(arch.pivot?.rowGroups ?? []),
    ...(arch.pivot?.columnGroups ?? []),
  ];
  const measured = (arch.answers ?? []).flatMap(({ spec }) => spec.fields.map(({ field }) => field));
  const listed = arch.list?.columns.map(({ name }) => name) ?? [];
  const { calendar } = arch;
  const planned = calendar
    ? [
        calendar.start,
        calendar.stop,
        calendar.allDay,
        calendar.color,
        calendar.title,
        ...calendar.lines.map((one) => one.name),
      ]
    : [];
  const shown = [...groups, ...measured, ...listed, ...planned];
  const named = new Set(shown.flatMap((name) => (name ? [name.split(/[.:]/, 1)[0], name.split(':', 1)[0]] : [])));
  for (const { name, currency } of arch.fields) if (named.has(name) && currency) named.add(currency);
  return {
    ...arch,
    fields: arch.fields.filter(({ name, type }) => named.has(name) || fieldType(type).isDate),
    header: { buttons: [] },
    search: { ...arch.search, fields: [], saved: [], filters: arch.search.filters.filter(({ groupBy }) => groupBy) },
  };
}
