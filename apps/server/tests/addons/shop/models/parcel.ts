import { defineModel, editable, type FieldsOf, fields, now } from '@kontor/addon';

const parcelFields = {
  name: fields.char({ required: true }),
  state: fields.selection({ packed: 'Packed', sent: 'Sent', back: 'Come back' }, { required: true, default: 'packed' }),
  weight: fields.integer({}),
  is_express: fields.boolean({}),
  postage: fields.integer({ ...editable }),
  sent_at: fields.datetime({ readonly: true }),
  slip_ids: fields.one2many('shop.parcel.slip', 'parcel_id', { label: 'Slips' }),
};
export interface ShopParcel extends FieldsOf<typeof parcelFields> {}

const slipFields = {
  parcel_id: fields.many2one('shop.parcel', { required: true, ondelete: 'cascade' }),
  note: fields.char({}),
};
export interface ShopParcelSlip extends FieldsOf<typeof slipFields> {}

declare module '@kontor/addon' {
  interface Models {
    'shop.parcel': ShopParcel;
    'shop.parcel.slip': ShopParcelSlip;
  }
}

/** What has left the house cannot be called back. */
export const shopParcel = defineModel('shop.parcel', {
  label: 'Parcel',
  fields: parcelFields,
  computes: {
    postage: {
      depends: ['weight', 'is_express'],
      value: ({ weight, is_express: isExpress }) => (weight === null ? null : weight * (isExpress ? 20 : 10)),
    },
  },
  states: {
    field: 'state',
    initial: 'packed',
    removable: ['packed'],
    locks: { sent: ['weight', 'postage', 'slip_ids'] },
    conditions: {
      is_weighed: { reads: ['weight'], holds: ({ weight }) => weight !== null, message: 'Weigh it first.' },
    },
  },
  moves: {
    send: { from: 'packed', to: 'sent', label: 'Send', needs: ['is_weighed'], sets: { sent_at: now }, undo: false },
    receive: { from: 'sent', to: 'back', label: 'Receive' },
  },
});

export const shopParcelSlip = defineModel('shop.parcel.slip', { label: 'Slip', fields: slipFields });
