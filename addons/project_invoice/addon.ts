import { defineAddon } from '@kontor/addon';
import { projectTimeBilled, timeLine } from './models/billed-time.ts';
import { timeInvoice } from './models/invoice.ts';
import { billedProject } from './models/project.ts';
import { projectRate, ratedCompany, ratedUser } from './models/rate.ts';
import { billableTask, billableTime } from './models/time.ts';

export type * from './models/billed-time.ts';
export type * from './models/rate.ts';

export default defineAddon({
  models: [
    ...[projectRate, ratedCompany, ratedUser],
    ...[billedProject, billableTask, billableTime],
    ...[projectTimeBilled, timeLine, timeInvoice],
  ],
  widgets: {
    budget_bar: {
      types: ['monetary'],
      doc: 'An amount against a budget: `options.budget` names the field with the budget.',
    },
  },
});
