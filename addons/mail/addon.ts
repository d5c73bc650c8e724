import { defineAddon } from '@kontor/addon';
import { forgetActivities } from './activities/forget-activities.ts';
import { deletedRecords, noteGone, removeGone } from './chatter/gone-messages.ts';
import { chatterRoutes } from './chatter/routes.ts';
import { mailActivity } from './models/activity.ts';
import { mailActivityType } from './models/activity-type.ts';
import { mailMessage } from './models/message.ts';
import { mailMessageFile } from './models/message-file.ts';
import { track } from './tracking/track.ts';

export { addMessage, postComment } from './chatter/post-message.ts';
export { handOver } from './hand-over/hand-over.ts';
export type * from './models/activity.ts';

export default defineAddon({
  models: [mailMessage, mailMessageFile, mailActivityType, mailActivity],
  routes: chatterRoutes,
  jobs: [
    {
      name: 'clean_messages',
      runInSteps: async ({ step, signal }) => {
        while (!signal.aborted && (await step(removeGone)));
      },
    },
  ],
  observers: [
    {
      models: 'chatter',
      run: async ({ env, changes }) => {
        await track(env, changes);
        const gone = deletedRecords(changes);
        await forgetActivities(env, gone);
        await noteGone(env, gone);
      },
    },
  ],
});
