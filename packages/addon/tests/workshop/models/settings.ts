import { companySettings, type FieldsOf, fields, inheritModel, type SettingsOf } from '@kontor/addon';

const settings = { workshop_days: fields.integer({ label: 'Days of a repair', required: true, default: 3, min: 1 }) };
export interface WorkshopSettings extends SettingsOf<'workshop.settings', typeof settings> {}
declare module '@kontor/addon' {
  interface CoreCompany extends FieldsOf<typeof settings> {}
  interface Models {
    'workshop.settings': WorkshopSettings;
  }
}
export const workshopSettings = companySettings('workshop.settings', { label: 'Workshop settings', fields: settings });

const ownerFields = { bike_ids: fields.one2many('workshop.bike', 'owner_id') };
declare module '@addons/base' {
  interface CorePartner extends FieldsOf<typeof ownerFields> {}
}
export const partnerBikes = inheritModel('core.partner', { fields: ownerFields });
