import { defineAddon, type WatcherSpec } from '@kontor/addon';
import { incomingRoute } from './incoming/route.ts';
import { automationRule } from './models/rule.ts';
import { automationProgress, automationReached, automationRun, automationTurn } from './models/run.ts';
import { carriedRules } from './running/carried.ts';
import { cleanRuns } from './running/clean.ts';
import { describeModel } from './running/describe-model.ts';
import { runQueue } from './running/run-queue.ts';
import { takeDates, takeSchedules } from './running/take-due.ts';
import { pausedNotice } from './running/trouble.ts';
import { tryRule } from './running/try-rule.ts';
import { watcher } from './running/watch.ts';

export type * from './models/rule.ts';
export type * from './models/run.ts';

export default defineAddon({
  models: [automationRule, automationRun, automationReached, automationTurn, automationProgress],
  routes: [
    incomingRoute,
    { method: 'GET', path: '/web/wc/automations', auth: 'session', handler: describeModel },
    { method: 'POST', path: '/web/automations/try/:rule(^[1-9][0-9]{0,8})', auth: 'session', handler: tryRule },
  ],
  carries: [carriedRules],
  watchers: [watcher as WatcherSpec],
  queues: [runQueue],
  notices: [pausedNotice],
  jobs: [
    {
      name: 'take_due',
      runInSteps: async ({ step, signal }) => {
        const cursor = { rule: 0, after: 0 };
        while (!signal.aborted && (await step((env) => takeDates(env, cursor))));
        while (!signal.aborted && (await step(takeSchedules)));
      },
    },
    {
      name: 'clean_runs',
      runInSteps: async ({ step, signal }) => {
        while (!signal.aborted && (await step(cleanRuns)));
      },
    },
  ],
  widgets: {
    automation_model: { types: ['char'], doc: 'A model of records, chosen by its name.' },
    automation_when: { types: ['json'], doc: 'When an automation runs, as a sentence.' },
    automation_steps: { types: ['json'], doc: 'The steps of an automation, as sentences.' },
    automation_trial: { types: ['integer'], doc: 'On `id`: what an automation would do to existing records.' },
    automation_runs: { types: ['integer'], doc: 'On `id`: the last runs of an automation.' },
    automation_key: {
      types: ['datetime'],
      doc: 'Since when there is a key for messages, and a way to see it once or to renew it.',
    },
  },
});
