import { fields as anyFields } from '@kontor/orm';
import { defineModel, type FieldsOf, fields } from '@kontor/orm/author';
import { isTimeZone, usualWeek, type WeekRule, weeksIn } from '@kontor/protocol';
import { offDays, weekendOf, weekOf, workdays } from './working-hours.ts';

/** Currencies and contacts are models of the base addon, which the kernel knows by name only. */
const companyFields = {
  name: fields.char({ required: true, unique: true, size: 200 }),
  parent_id: fields.many2one('core.company', { label: 'Parent company' }),
  currency_id: anyFields.many2one('core.currency', {
    label: 'Currency',
    required: true,
    computed: true,
    stored: true,
    editable: true,
  }),
  partner_id: anyFields.many2one('core.partner', { label: 'Contact' }),
  email: fields.char({ personal: false, label: 'E-mail', size: 320, format: 'email' }),
  phone: fields.char({ personal: false, size: 64, format: 'phone' }),
  website: fields.char({ size: 500, format: 'url' }),
  street: fields.char({ personal: false, size: 200 }),
  street2: fields.char({ personal: false, label: 'Street, second line', size: 200 }),
  zip: fields.char({ personal: false, label: 'Postal code', size: 24 }),
  city: fields.char({ size: 100 }),
  country_id: anyFields.many2one('core.country', { label: 'Country' }),
  vat: fields.char({ label: 'Tax id', size: 64, help: 'The VAT number, such as DE123456789.' }),
  tax_number: fields.char({ size: 64, help: 'The number at the local tax office, if it differs.' }),
  registration: fields.char({
    label: 'Register entry',
    size: 200,
    help: 'Court and number of the commercial register.',
  }),
  bank_name: fields.char({ label: 'Bank', size: 200 }),
  iban: fields.char({ label: 'IBAN or account', size: 64, format: 'iban' }),
  bic: fields.char({ label: 'BIC', size: 32 }),
  lang: fields.char({
    label: 'Language',
    required: true,
    default: ({ lang }) => lang,
    size: 16,
    help: 'Default for new people.',
  }),
  tz: fields.char({ label: 'Time zone', required: true, default: 'UTC', size: 64, help: 'Default for new people.' }),
  week_start: fields.selection(
    { monday: 'Monday', friday: 'Friday', saturday: 'Saturday', sunday: 'Sunday' },
    {
      computed: true,
      stored: true,
      editable: true,
      label: 'Weeks begin on',
      help: 'By the country unless you choose.',
    },
  ),
  week_numbers: fields.selection(
    { iso: 'ISO 8601: week 1 has January 4', january: 'Week 1 has January 1' },
    { computed: true, stored: true, editable: true, label: 'Week numbers', help: 'By the country unless you choose.' },
  ),
  schedule_id: fields.many2one('core.schedule', {
    label: 'Working hours',
    help: 'Empty: eight hours a day, with the weekend of the country.',
  }),
  own_leave: fields.boolean({ label: 'People enter their own leave', default: true }),
  holiday_ids: fields.one2many('core.holiday', 'company_id', { label: 'Holidays', copy: false }),
  work_calendar: fields.json({ label: 'Working time', computed: true, stored: true, copy: false }),
  logo: fields.image({}),
  mail_colour: fields.char({
    ...{ label: 'Colour of e-mails', size: 7, personal: false },
    help: 'The line and the links of e-mails to people outside, such as #0e6273.',
    clean: (given) => given.trim().toLowerCase(),
  }),
  mail_footer: fields.text({
    ...{ label: 'Below e-mails', personal: false },
    help: 'What the law asks for, such as register and managing directors. If empty, register entry and tax id.',
  }),
  active: fields.boolean({ default: true }),
};

/**
 * The record of a company. Addons add fields to it by declaration merging, as `companySettings` shows.
 * ```ts
 * export const nameOf = (company: RecordOf<'core.company'>) => company.name;
 * export type CompanyField = keyof CoreCompany;
 * ```
 */
export interface CoreCompany extends FieldsOf<typeof companyFields> {}
declare module '@kontor/orm' {
  interface Models {
    'core.company': CoreCompany;
  }
}

/** Weeks begin on one of these somewhere; as ISO 8601 numbers them. */
export const weekdays = { monday: 1, friday: 5, saturday: 6, sunday: 7 } as const;
const weekStarts = Object.keys(weekdays) as (keyof typeof weekdays)[];

export const coreCompany = defineModel('core.company', {
  label: 'Company',
  cached: true,
  noCompany: 'It is the company.',
  order: 'name, id',
  fields: companyFields,
  computes: {
    currency_id: {
      depends: pathsOf<'country_id'>('country_id.currency_id'),
      // Only of a new company: another country must not turn amounts of one currency into amounts of another.
      value: (company: object, { isNew }) =>
        isNew ? ((company as Place).country_id?.currency_id ?? undefined) : undefined,
    },
    week_start: byPlace(({ start }) => weekStarts.find((day) => weekdays[day] === start) ?? 'monday'),
    week_numbers: byPlace(({ firstDays }) => (firstDays === 4 ? 'iso' : 'january')),
    work_calendar: {
      asServer: 'When a company works is known to everybody who plans.',
      depends: [
        ...pathsOf<'country_id' | 'lang'>('country_id.code', 'lang'),
        'tz',
        ...workdays.map((day) => `schedule_id.${day}` as const),
        'holiday_ids.date_from',
        'holiday_ids.date_to',
      ],
      value: (company) => ({
        tz: company.tz ?? 'UTC',
        week: company.schedule_id ? weekOf(company.schedule_id) : usualWeek(weekendOf(company as object as Place)),
        off: offDays(company.holiday_ids),
      }),
    },
  },
  constraints: {
    known_time_zone: {
      on: ['tz'],
      holds: (company) => isTimeZone(company.tz),
      message: 'This is not a time zone. Use a name such as Europe/Berlin.',
    },
    right_colour: {
      on: ['mail_colour'],
      holds: (company) => company.mail_colour === null || /^#[0-9a-f]{6}$/.test(company.mail_colour),
      message: 'Enter a colour such as #0e6273.',
    },
    short_footer: {
      on: ['mail_footer'],
      holds: (company) => (company.mail_footer?.length ?? 0) <= 1000,
      message: 'The text below e-mails has at most 1000 characters.',
    },
  },
});

interface Place {
  readonly country_id: { readonly code: string; readonly currency_id?: { readonly id: number } | null } | null;
  readonly lang: string | null;
}

/** The compiler does not know the fields of a country here. */
function pathsOf<Names extends string>(...paths: readonly string[]): readonly Names[] {
  return paths as readonly Names[];
}

/** From what is usual in the company's country, else in that of its language. */
function byPlace<T>(value: (weeks: WeekRule) => T) {
  const depends = pathsOf<'country_id' | 'lang'>('country_id.code', 'lang');
  const usual = ({ country_id: country, lang }: Place): WeekRule =>
    weeksIn(country ? `und-${country.code}` : (lang ?? '').replace('_', '-'));
  return { depends, value: (company: object) => value(usual(company as Place)) };
}
