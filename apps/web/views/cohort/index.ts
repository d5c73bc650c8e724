import { defineView } from '../define-view.ts';

export const cohortView = defineView({
  type: 'cohort',
  label: 'Cohort',
  icon: 'repeat',
  load: async () => ({ View: (await import('./view.tsx')).CohortView }),
});
