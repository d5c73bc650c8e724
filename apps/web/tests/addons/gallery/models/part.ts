import { Decimal, defineModel, type FieldsOf, fields } from '@kontor/addon';

const partFields = {
  piece_id: fields.many2one('gallery.piece', { required: true, ondelete: 'cascade' }),
  sequence: fields.integer({ default: 10 }),
  name: fields.char({ required: true, label: 'Part' }),
  artist_id: fields.many2one('gallery.artist', { label: 'Artist' }),
  quantity: fields.decimal({ precision: [14, 3], required: true, default: 1 }),
  price: fields.monetary({ default: 0 }),
  note: fields.char({}),
  day: fields.date({}),
  is_fragile: fields.boolean({ label: 'Fragile' }),
  tag_ids: fields.many2many('gallery.tag', { label: 'Tags' }),
  subtotal: fields.monetary({ computed: true, stored: true }),
  currency_id: fields.many2one('core.currency', { related: 'piece_id.currency_id', stored: true }),
};
export interface GalleryPart extends FieldsOf<typeof partFields> {}
declare module '@kontor/addon' {
  interface Models {
    'gallery.part': GalleryPart;
  }
}

export const galleryPart = defineModel('gallery.part', {
  label: 'Part',
  order: 'sequence, id',
  fields: partFields,
  computes: {
    subtotal: {
      depends: ['quantity', 'price'],
      value: ({ quantity, price }) => (quantity ?? new Decimal(0)).times(price ?? 0),
    },
  },
  onchange: {
    // What an artist asks for, at the rate of the piece around the part, saved or not.
    artist_id: {
      reads: ['artist_id.fee', 'piece_id.rate'],
      value: ({ artist_id: artist, piece_id: piece }) =>
        artist?.fee ? { price: artist.fee.times(piece?.rate ?? 1) } : undefined,
    },
  },
});
