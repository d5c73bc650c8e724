import '@addons/base';
import '@addons/project';
import { currentCompany, defineModel, type FieldsOf, fields, inheritModel } from '@kontor/addon';
import { fillRates } from '../rates/fill-rates.ts';

const rateFields = {
  kind: fields.selection({ price: 'Price', cost: 'Cost' }, { required: true, default: 'price' }),
  user_id: fields.many2one('core.user', {
    label: 'Person',
    index: true,
    ondelete: 'cascade',
    help: 'If empty, the rate is for everyone.',
  }),
  project_id: fields.many2one('project.project', {
    label: 'Project',
    index: true,
    ondelete: 'cascade',
    checkCompany: true,
    help: 'If empty, the rate is for all projects.',
  }),
  hourly: fields.monetary({ label: 'Per hour', required: true, min: 0, aggregate: 'average' }),
  date_start: fields.date({ label: 'Valid from' }),
  date_end: fields.date({ label: 'Valid until' }),
  currency_id: fields.related('company_id.currency_id'),
  company_id: fields.many2one('core.company', { label: 'Company', required: true, default: currentCompany }),
  /** Its company, if it is for everyone and all projects: what applies where nothing else does. */
  general_company_id: fields.many2one('core.company', {
    label: 'Default of the company',
    computed: true,
    stored: true,
    required: false,
    index: true,
  }),
};

export interface ProjectRate extends FieldsOf<typeof rateFields> {}
declare module '@kontor/addon' {
  interface Models {
    'project.rate': ProjectRate;
  }
}

/** What an hour of somebody's work is worth to a customer, or costs. The most specific one that is valid on the day applies. */
export const projectRate = defineModel('project.rate', {
  label: 'Hourly rate',
  order: 'kind, project_id, user_id, -date_start, id',
  displayName: '{user_id.name} {project_id.name}',
  ownRules: 'Rates are for managers of projects and people who invoice, whoever sees the project.',
  fields: rateFields,
  computes: {
    general_company_id: {
      depends: ['user_id', 'project_id', 'company_id'],
      value: ({ user_id: user, project_id: project, company_id: company }) =>
        user === null && project === null ? (company?.id ?? null) : null,
    },
  },
  constraints: {
    days_in_order: {
      on: ['date_start', 'date_end'],
      holds: ({ date_start: from, date_end: until }) => from === null || until === null || from <= until,
      message: 'The rate would end before it began.',
      field: 'date_end',
    },
  },
  excludes: {
    one_price: {
      same: ['company_id', 'project_id', 'user_id'],
      range: ['date_start', 'date_end'],
      where: [['kind', '=', 'price']],
      message: 'Another price is valid in this time. Enter its last day first.',
    },
    one_cost: {
      same: ['company_id', 'project_id', 'user_id'],
      range: ['date_start', 'date_end'],
      where: [['kind', '=', 'cost']],
      message: 'Another cost is valid in this time. Enter its last day first.',
    },
  },
  hooks: {
    on: ['kind', 'user_id', 'project_id', 'hourly', 'date_start', 'date_end'],
    // As the server: who keeps rates need not see whose time they are for.
    afterCreate: ({ env, ids }) => fillRates(env.sudo(), ids),
    afterWrite: ({ env, ids }) => fillRates(env.sudo(), ids),
  },
});

const general = { project_rate_ids: fields.one2many('project.rate', 'general_company_id', { label: 'Hourly rates' }) };
const own = { project_rate_ids: fields.one2many('project.rate', 'user_id', { label: 'Hourly rates' }) };

declare module '@kontor/addon' {
  interface CoreCompany extends FieldsOf<typeof general> {}
  interface CoreUser extends FieldsOf<typeof own> {}
}

export const ratedCompany = inheritModel('core.company', { fields: general });
export const ratedUser = inheritModel('core.user', { fields: own });
