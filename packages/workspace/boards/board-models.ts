import { currentUser, defineModel, type Env, type FieldsOf, fields } from '@kontor/orm/author';
import {
  boardColumns,
  didYouMean,
  leastTileColumns,
  mostTileRows,
  mostTiles,
  text,
  ValidationError,
} from '@kontor/protocol';

const boardFields = {
  name: fields.char({ required: true, size: 200, translated: true }),
  user_id: fields.many2one('core.user', {
    label: 'Owner',
    ondelete: 'cascade',
    default: currentUser,
    readonly: true,
    copy: false,
    help: 'Empty for boards that come with an app.',
  }),
  is_shared: fields.boolean({ label: 'For everyone', copy: false }),
  group_ids: fields.many2many('core.group', {
    label: 'Shared with',
    copy: false,
    help: 'Members of these groups see the board. Its values always reflect what the reader may see.',
  }),
  sequence: fields.integer({ default: 100, required: true, copy: false }),
  tile_ids: fields.one2many('sys.board.tile', 'board_id', { label: 'Tiles' }),
};
interface SysBoard extends FieldsOf<typeof boardFields> {}

const tileFields = {
  board_id: fields.many2one('sys.board', { required: true, ondelete: 'cascade', index: true, label: 'Board' }),
  name: fields.char({ required: true, size: 200, translated: true }),
  sequence: fields.integer({ default: 10, required: true }),
  kind: fields.selection(
    { figure: 'Figure', graph: 'Graph', pivot: 'Pivot', list: 'List', calendar: 'Calendar', map: 'Map' },
    { required: true, default: 'graph' },
  ),
  action: fields.char({
    label: 'Screen',
    size: 200,
    help: 'Key of the screen it shows, such as sale.orders. If empty, the screen of the model.',
  }),
  model: fields.char({ size: 128, names: 'model' }),
  query: fields.char({
    names: 'query',
    size: 4000,
    help: 'Search of the screen as in its address: filter, domain, group_by, measure, kind, compare.',
    clean: (given) => given.replace(/^\?/, ''),
  }),
  width: fields.integer({
    default: 4,
    required: true,
    min: leastTileColumns,
    max: boardColumns,
    help: 'Of the twelve columns of a board.',
  }),
  height: fields.integer({ default: 2, required: true, min: 1, max: mostTileRows, help: 'Rows of the board.' }),
};
interface SysBoardTile extends FieldsOf<typeof tileFields> {}

declare module '@kontor/orm' {
  interface Models {
    'sys.board': SysBoard;
    'sys.board.tile': SysBoardTile;
  }
}

export const sysBoard = defineModel('sys.board', {
  label: 'Board',
  noCompany: 'A board belongs to one person; people of their companies see it once it is shared.',
  ownRules: 'People keep their own boards, though they may not change users; others read what is shared with them.',
  order: 'sequence, name, id',
  fields: boardFields,
});

export const sysBoardTile = defineModel('sys.board.tile', {
  label: 'Tile',
  order: 'sequence, id',
  fields: tileFields,
  constraints: {
    has_a_screen: {
      on: ['action', 'model'],
      holds: ({ action, model }) => Boolean(action) || Boolean(model),
      message: 'A tile shows a screen or a model.',
      field: 'model',
    },
  },
  hooks: {
    async afterCreate({ env, ids, values }) {
      await checkScreens(env, values);
      await checkCount(env, ids);
    },
    async afterWrite({ env, ids, values }) {
      await checkScreens(env, [values]);
      if ('board_id' in values) await checkCount(env, ids);
    },
  },
});

async function checkCount(env: Env, ids: readonly number[]): Promise<void> {
  const tiles = env.sudo().model('sys.board.tile');
  const boards = new Set((await tiles.read(ids, ['board_id'])).map((tile) => tile.board_id));
  for (const board of boards) {
    if ((await tiles.count([['board_id', '=', board]])) <= mostTiles) continue;
    throw new ValidationError({ board_id: [text('A board has at most {max} tiles.', { max: mostTiles })] });
  }
}

interface TileScreenName {
  readonly action?: string | null;
  readonly model?: string | null;
}

/**
 * A tile of something that does not exist would be a permanent error on the board. Tiles of addons may be loaded before
 * their screen.
 */
async function checkScreens(env: Env, tiles: readonly TileScreenName[]): Promise<void> {
  if (env.isSudo) return;
  const { models } = env.registry;
  const wrong = tiles.map(({ model }) => model).find((model) => model && !models.has(model));
  if (wrong) {
    const words = { model: wrong, hint: didYouMean(wrong, models.keys()) };
    throw new ValidationError({ model: [text('There is no model {model}.{hint}', words)] });
  }
  const named = tiles.flatMap(({ action }) => action || []);
  if (named.length === 0) return;
  const known = await actionKeys(env);
  const missing = named.find((action) => !known.has(action));
  if (missing === undefined) return;
  const words = { action: missing, hint: didYouMean(missing, known) };
  throw new ValidationError({ action: [text('There is no action {action}.{hint}', words)] });
}

/** By external id and by number, as in URLs. */
async function actionKeys(env: Env): Promise<ReadonlySet<string>> {
  const actions = await env.sudo().model('sys.action.window').searchRead([], ['name']);
  const ids = new Set(actions.map(({ id }) => id));
  const names = await env
    .sudo()
    .model('sys.model.data')
    .searchRead([['model', '=', 'sys.action.window']], ['module', 'name', 'res_id']);
  const keys = names.filter(({ res_id }) => ids.has(res_id)).map(({ module, name }) => `${module}.${name}`);
  return new Set([...keys, ...[...ids].map(String)]);
}
