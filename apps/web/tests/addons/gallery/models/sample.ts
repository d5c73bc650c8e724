import { defineModel, type FieldsOf, fields } from '@kontor/addon';

const sampleFields = {
  name: fields.char({ required: true }),
  kind: fields.selection({ paint: 'Painting', stone: 'Sculpture', paper: 'Drawing' }, { default: 'paint' }),
  state: fields.selection({ draft: 'Draft', shown: 'On show', sold: 'Sold' }, { required: true, default: 'draft' }),
  priority: fields.selection({ '0': 'Normal', '1': 'High', '2': 'Very high' }, { default: '0' }),
  size: fields.selection({ small: 'Small', large: 'Large' }, {}),
  tag_ids: fields.many2many('gallery.tag', { label: 'Tags' }),
  topic_ids: fields.many2many('gallery.tag', {
    label: 'Topics',
    through: { table: 'gallery_sample_topic', own: 'sample_id', other: 'tag_id' },
  }),
  color: fields.integer({ label: 'Colour' }),
  progress: fields.integer({ min: 0, max: 100 }),
  share: fields.decimal({ precision: [8, 4] }),
  hours: fields.decimal({ precision: [8, 2] }),
  amount: fields.decimal({ precision: [12, 2] }),
  ratio: fields.float({}),
  count: fields.integer({}),
  phone: fields.char({}),
  email: fields.char({ label: 'E-mail' }),
  website: fields.char({}),
  bad_link: fields.char({}),
  key: fields.char({ label: 'Key to copy' }),
  image: fields.image({}),
  portrait: fields.image({}),
  certificate: fields.binary({}),
  story: fields.html({}),
  notes: fields.text({}),
  script: fields.text({}),
  extra: fields.json({}),
  filter_model: fields.char({ default: 'gallery.artist' }),
  filter_domain: fields.json({ label: 'Who may see it' }),
  price: fields.monetary({}),
  currency_id: fields.many2one('core.currency', { label: 'Currency' }),
  is_open: fields.boolean({ label: 'Open' }),
  is_framed: fields.boolean({ label: 'Framed' }),
  due: fields.date({}),
  day: fields.date({}),
  seen_at: fields.datetime({ label: 'Seen' }),
  artist_id: fields.many2one('gallery.artist', { label: 'Artist' }),
  room_id: fields.many2one('gallery.room', { label: 'Room' }),
  curator_id: fields.many2one('core.user', { label: 'Curator' }),
  subject: fields.reference({ models: ['gallery.artist', 'core.partner'] }),
  password: fields.char({}),
  sequence: fields.integer({ default: 10 }),
};
export interface GallerySample extends FieldsOf<typeof sampleFields> {}
declare module '@kontor/addon' {
  interface Models {
    'gallery.sample': GallerySample;
  }
}

/** A field for every widget that the client ships. */
export const gallerySample = defineModel('gallery.sample', {
  label: 'Sample',
  order: 'id',
  fields: sampleFields,
});
