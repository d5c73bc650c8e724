import { defineModel, type FieldsOf, fields } from '@kontor/addon';

const wishFields = { bike_id: fields.many2one('workshop.bike'), problem: fields.text({}) };
export interface WorkshopWish extends FieldsOf<typeof wishFields> {}
declare module '@kontor/addon' {
  interface Models {
    'workshop.wish': WorkshopWish;
  }
}

export const workshopWish = defineModel('workshop.wish', { label: 'Wish', transient: true, fields: wishFields });
