import { defineAddon } from '@kontor/addon';
import { forgetActivities } from './activities/forget-activities.ts';
import { chatterRoutes } from './chatter/routes.ts';
import { mailActivity } from './models/activity.ts';
import { mailActivityType } from './models/activity-type.ts';
import { mailMessage } from './models/message.ts';
import { track } from './tracking/track.ts';

export { addMessage, postComment } from './chatter/post-message.ts';
export type * from './models/activity.ts';

export default defineAddon({
  models: [mailMessage, mailActivityType, mailActivity],
  routes: chatterRoutes,
  observers: [
    {
      models: 'chatter',
      run: async ({ env, changes }) => {
        await track(env, changes);
        await forgetActivities(env, changes);
      },
    },
  ],
});
