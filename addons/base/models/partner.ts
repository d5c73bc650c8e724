import {
  type CallsOf,
  defineModel,
  editable,
  type FieldsOf,
  fields,
  openPersonalData,
  privacyGroup,
} from '@kontor/addon';
import { contactWords } from './contact-words.ts';

const partnerFields = {
  name: fields.char({
    personal: true,
    required: true,
    size: 200,
    index: true,
    tracking: true,
    synonyms: contactWords.name,
  }),
  is_company: fields.boolean({ label: 'Is a company' }),
  parent_id: fields.many2one('core.partner', {
    label: 'Company',
    domain: [['is_company', '=', true]],
    synonyms: contactWords.company,
  }),
  child_ids: fields.one2many('core.partner', 'parent_id', { label: 'Contacts' }),
  email: fields.char({
    personal: true,
    label: 'E-mail',
    size: 320,
    format: 'email',
    likelyUnique: true,
    synonyms: contactWords.email,
  }),
  phone: fields.char({ personal: true, size: 64, format: 'phone', synonyms: contactWords.phone }),
  mobile: fields.char({ personal: true, size: 64, format: 'phone', synonyms: contactWords.mobile }),
  website: fields.char({ personal: true, size: 500, format: 'url', synonyms: contactWords.website }),
  street: fields.char({ personal: true, size: 200, synonyms: contactWords.street, ...editable }),
  street2: fields.char({
    personal: true,
    label: 'Street, second line',
    size: 200,
    synonyms: contactWords.street2,
    ...editable,
  }),
  zip: fields.char({ personal: true, label: 'Postal code', size: 24, synonyms: contactWords.zip, ...editable }),
  city: fields.char({ personal: true, size: 100, synonyms: contactWords.city, ...editable }),
  country_id: fields.many2one('core.country', { label: 'Country', synonyms: contactWords.country, ...editable }),
  vat: fields.char({ personal: true, label: 'Tax id', size: 64, synonyms: contactWords.vat }),
  lang: fields.char({ label: 'Language', size: 16, synonyms: contactWords.language }),
  image: fields.image({ personal: true }),
  comment: fields.html({ personal: true, label: 'Notes', synonyms: contactWords.notes }),
  user_id: fields.many2one('core.user', {
    label: 'Responsible',
    tracking: true,
    ...editable,
    synonyms: contactWords.responsible,
  }),
  company_id: fields.many2one('core.company', { label: 'Belongs to', help: 'If empty, shared by every company.' }),
  active: fields.boolean({ default: true }),
};

export interface CorePartner extends FieldsOf<typeof partnerFields> {}
export interface CorePartnerCalls extends CallsOf<typeof corePartner> {}
declare module '@kontor/addon' {
  interface Models {
    'core.partner': CorePartner;
  }
  interface Calls {
    'core.partner': CorePartnerCalls;
  }
}

const addressFields = ['street', 'street2', 'zip', 'city', 'country_id'] as const;

function ofCompany<Name extends string>(name: Name) {
  type Person<Value> = {
    readonly is_company: boolean;
    readonly parent_id: { readonly [Each in Name]: Value } | null;
  };
  return <Value>(
    { is_company: isCompany, parent_id: company }: Person<Value>,
    { isNew }: { readonly isNew: boolean },
  ) => (isNew && !isCompany ? (company?.[name] ?? undefined) : undefined);
}

export const corePartner = defineModel('core.partner', {
  label: 'Contact',
  order: 'name, id',
  fields: partnerFields,
  // Lists of other models show a contact per row: name and access conditions come from the index alone.
  indexes: ['id, name, company_id'],
  computes: {
    // Empty by default; addons may define it.
    user_id: { depends: [], value: () => undefined },
    // New people have the address of their company.
    street: { depends: ['is_company', 'parent_id.street'], value: ofCompany('street') },
    street2: { depends: ['is_company', 'parent_id.street2'], value: ofCompany('street2') },
    zip: { depends: ['is_company', 'parent_id.zip'], value: ofCompany('zip') },
    city: { depends: ['is_company', 'parent_id.city'], value: ofCompany('city') },
    country_id: { depends: ['is_company', 'parent_id.country_id'], value: ofCompany('country_id') },
  },
  normalise: {
    /** An address is somebody's own or that of the company: their parts are never mixed. */
    whole_address: {
      on: [...addressFields],
      value(_, { before, given }) {
        if (before !== null || !addressFields.some((name) => given(name))) return undefined;
        return Object.fromEntries(addressFields.filter((name) => !given(name)).map((name) => [name, null]));
      },
    },
  },
  actions: {
    /** The personal data of the contact in all apps: to show, export or erase. */
    personal_data: {
      label: 'Personal data',
      icon: 'shield',
      needs: 'read',
      groups: [privacyGroup],
      single: 'Choose one person.',
      run: async ({ env, records }) => openPersonalData(env, 'core.partner', (await records.only()).id),
    },
  },
});
