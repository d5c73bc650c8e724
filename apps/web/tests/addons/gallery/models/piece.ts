import { type CallsOf, currentUser, defineModel, type FieldsOf, fields } from '@kontor/addon';

const pieceFields = {
  name: fields.char({ required: true, label: 'Title' }),
  code: fields.char({ unique: true, copy: false }),
  state: fields.selection({ draft: 'Draft', shown: 'On show', sold: 'Sold' }, { required: true, default: 'draft' }),
  room_id: fields.many2one('gallery.room', { label: 'Room' }),
  sequence: fields.integer({ default: 10 }),
  priority: fields.selection({ '0': 'Normal', '1': 'High', '2': 'Very high' }, { default: '0' }),
  tag_ids: fields.many2many('gallery.tag', { label: 'Tags' }),
  color: fields.integer({ label: 'Colour' }),
  progress: fields.integer({ min: 0, max: 100 }),
  phone: fields.char({}),
  image: fields.image({}),
  notes: fields.text({}),
  price: fields.monetary({}),
  rate: fields.decimal({ precision: [8, 2], default: 1 }),
  currency_id: fields.many2one('core.currency', { label: 'Currency' }),
  is_open: fields.boolean({ label: 'Open' }),
  due: fields.date({}),
  artist_id: fields.many2one('gallery.artist', { label: 'Artist' }),
  curator_id: fields.many2one('core.user', { label: 'Curator', default: currentUser }),
  cellar: fields.char({ label: 'Place in the cellar' }),
  part_ids: fields.one2many('gallery.part', 'piece_id', { label: 'Parts' }),
  visit_ids: fields.one2many('gallery.visit', 'piece_id', { label: 'Visits' }),
  total: fields.monetary({ computed: true, stored: true }),
  active: fields.boolean({ default: true }),
};
export interface GalleryPiece extends FieldsOf<typeof pieceFields> {}
export interface GalleryPieceCalls extends CallsOf<typeof galleryPiece> {}
declare module '@kontor/addon' {
  interface Models {
    'gallery.piece': GalleryPiece;
  }
  interface Calls {
    'gallery.piece': GalleryPieceCalls;
  }
}

export const galleryPiece = defineModel('gallery.piece', {
  label: 'Piece',
  order: 'sequence, id',
  fields: pieceFields,
  computes: { total: { sum: 'part_ids.subtotal' } },
  onchange: {
    artist_id: {
      reads: ['artist_id.phone'],
      value: ({ artist_id: artist }) => ({
        answer: {
          value: artist?.phone ? { phone: artist.phone } : {},
          ...(artist?.phone ? {} : { warning: { title: 'No phone', message: 'Nobody can call this artist.' } }),
        },
      }),
    },
  },
  constraints: {
    a_real_title: {
      on: ['name'],
      holds: (piece) => piece.name !== 'Untitled',
      message: 'Give it a title of its own.',
    },
    sold_for_something: {
      on: ['state', 'part_ids'],
      reads: ['part_ids'],
      holds: (piece) => piece.state !== 'sold' || piece.part_ids.length > 0,
      message: 'Say what is sold.',
      field: 'part_ids',
    },
  },
  actions: {
    async show({ env, records }) {
      await env.model('gallery.piece').write(records.ids, { is_open: true });
    },
    async hide({ env, records }) {
      await env.model('gallery.piece').write(records.ids, { is_open: false });
    },
  },
});
