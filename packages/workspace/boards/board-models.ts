import { currentUser, defineModel, type FieldsOf, fields } from '@kontor/orm/author';
import { boardColumns, leastTileColumns, mostTileRows } from '@kontor/protocol';

const boardFields = {
  name: fields.char({ required: true, size: 200 }),
  user_id: fields.many2one('core.user', {
    label: 'Owner',
    ondelete: 'cascade',
    default: currentUser,
    readonly: true,
    copy: false,
    help: 'Empty: it came with an app.',
  }),
  is_shared: fields.boolean({ label: 'For everyone', copy: false }),
  group_ids: fields.many2many('core.group', {
    label: 'Shared with',
    copy: false,
    help: 'Who is in one of these groups sees the board. Its figures are always those that the reader may see.',
  }),
  sequence: fields.integer({ default: 100, required: true, copy: false }),
  tile_ids: fields.one2many('sys.board.tile', 'board_id', { label: 'Tiles' }),
};
interface SysBoard extends FieldsOf<typeof boardFields> {}

const tileFields = {
  board_id: fields.many2one('sys.board', { required: true, ondelete: 'cascade', index: true, label: 'Board' }),
  name: fields.char({ required: true, size: 200 }),
  sequence: fields.integer({ default: 10, required: true }),
  kind: fields.selection(
    { figure: 'Figure', graph: 'Graph', pivot: 'Pivot', list: 'List', calendar: 'Calendar' },
    { required: true, default: 'graph' },
  ),
  action: fields.char({
    label: 'Screen',
    size: 200,
    help: 'Key of the screen it was taken from, such as sale.orders. Empty: that of the model.',
  }),
  model: fields.char({ size: 128 }),
  query: fields.char({
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
});
