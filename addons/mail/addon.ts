import { defineAddon } from '@kontor/addon';
import {
  deleteActivities,
  deletedRecords,
  dropRemovedFiles,
  forgetFollowing,
  noteDeletedRecords,
  removeDeletedMessages,
} from './chatter/deleted-records.ts';
import { assigned, handedOver, mentioned } from './chatter/notices.ts';
import { chatterRoutes } from './chatter/routes.ts';
import { followedChanges } from './following/followed-changes.ts';
import { mailActivity } from './models/activity.ts';
import { mailActivityType } from './models/activity-type.ts';
import { mailFollow } from './models/follow.ts';
import { mailMessage, mailMessageFile } from './models/message.ts';
import { track } from './tracking/tracked-change.ts';

export { addMessage, postComment } from './chatter/post-message.ts';
export { handOver } from './hand-over/hand-over.ts';
export type * from './models/activity.ts';
export type * from './models/activity-type.ts';

export default defineAddon({
  models: [mailMessage, mailMessageFile, mailActivityType, mailActivity, mailFollow],
  routes: chatterRoutes,
  jobs: [
    {
      name: 'clean_messages',
      runInSteps: async ({ step, signal }) => {
        while (!signal.aborted && (await step(removeDeletedMessages)));
        while (!signal.aborted && (await step(dropRemovedFiles)));
      },
    },
  ],
  notices: [mentioned, assigned, handedOver],
  followed: ({ env, limit }) => followedChanges(env, limit),
  observers: [
    {
      models: 'chatter',
      concerns: ({ operation, fields }) => operation === 'write' && fields.some((field) => field.tracking),
      run: async ({ env, changes }) => {
        await track(env, changes);
        const gone = deletedRecords(changes);
        await deleteActivities(env, gone);
        await forgetFollowing(env, gone);
        await noteDeletedRecords(env, gone);
      },
    },
  ],
});
