import { defineAddon } from '@kontor/addon';
import {
  deleteActivities,
  deletedRecords,
  dropRemovedFiles,
  forgetFollowing,
  noteDeletedRecords,
  removeDeletedMessages,
} from './chatter/deleted-records.ts';
import { added, assigned, followed, handedOver, mentioned } from './chatter/notices.ts';
import { chatterRoutes } from './chatter/routes.ts';
import { digestText, sendDigests } from './following/digest.ts';
import { followedChanges } from './following/followed-changes.ts';
import { followingRoutes } from './following/routes.ts';
import { tellFollowers } from './following/tell-followers.ts';
import { wakeConversations } from './inbox/change-conversation.ts';
import { inboxRoutes } from './inbox/routes.ts';
import { doorRoutes } from './incoming/door.ts';
import { mailboxWorker } from './incoming/imap/mailbox-worker.ts';
import { incomingQueue } from './incoming/incoming-queue.ts';
import { pictureRoutes } from './incoming/picture-pages.ts';
import { dropFiledMessages } from './incoming/receive.ts';
import { invitationAnswers } from './invitation/answer-texts.ts';
import { invitationRoutes } from './invitation/routes.ts';
import { mailActivity } from './models/activity.ts';
import { mailActivityType } from './models/activity-type.ts';
import { mailConversation, mailConversationSeen } from './models/conversation.ts';
import { mailDigestItem, mailFollow, mailFollowKind } from './models/follow.ts';
import { mailIncoming } from './models/incoming.ts';
import { mailIncomingKnown } from './models/incoming-known.ts';
import { mailMailbox } from './models/mailbox.ts';
import { mailMessage, mailMessageFile } from './models/message.ts';
import { partnerMail } from './models/partner.ts';
import { mailTemplate, mailTemplateTranslation } from './models/template.ts';
import { templateRoutes } from './templates/routes.ts';
import { track } from './tracking/tracked-change.ts';

export { checkedComment, longestComment, postFromContact, sharedMessages } from './chatter/contact-message.ts';
export { type SentFile, sharedFile } from './chatter/message-files.ts';
export { outsideFile } from './chatter/outside-file.ts';
export { markFor, outsideMail, withoutMarks } from './chatter/outside-mail.ts';
export { addMessage, postComment } from './chatter/post-message.ts';
export { threadDetails } from './chatter/thread.ts';
export { handOver } from './hand-over/hand-over.ts';
export { createFromMail } from './incoming/file-by-hand.ts';
export { answersTo, replyAddress } from './incoming/reply-address.ts';
export { escapeText, foldLine, quoted } from './invitation/answer-calendar.ts';
export type { Invitation, InvitationAnswer } from './invitation/read-invitation.ts';
export { whenText } from './invitation/when-text.ts';
export type * from './models/activity.ts';
export type * from './models/activity-type.ts';
export type * from './models/incoming.ts';
export type * from './models/mailbox.ts';
export type * from './models/message.ts';
export type * from './models/template.ts';
export { checkModel, checkWritten } from './templates/check-template.ts';
export { mailPageHeaders } from './templates/preview.ts';
export { fillTemplate } from './templates/use-template.ts';

export default defineAddon({
  models: [
    mailMessage,
    mailMessageFile,
    mailActivityType,
    mailActivity,
    mailFollow,
    mailFollowKind,
    mailDigestItem,
    mailMailbox,
    mailIncoming,
    mailIncomingKnown,
    mailConversation,
    mailConversationSeen,
    partnerMail,
    mailTemplate,
    mailTemplateTranslation,
  ],
  routes: [
    ...[...chatterRoutes, ...followingRoutes, ...doorRoutes, ...inboxRoutes, ...templateRoutes],
    ...[...pictureRoutes, ...invitationRoutes],
  ],
  queues: [incomingQueue],
  workers: [
    mailboxWorker(),
    {
      name: 'followers',
      models: ['mail.message'],
      run: async ({ step, signal }) => {
        while (!signal.aborted && (await step(tellFollowers)));
      },
    },
  ],
  jobs: [
    {
      name: 'clean_messages',
      runInSteps: async ({ step, signal }) => {
        while (!signal.aborted && (await step(removeDeletedMessages)));
        while (!signal.aborted && (await step(dropRemovedFiles)));
        while (!signal.aborted && (await step(dropFiledMessages)));
      },
    },
    { name: 'send_digests', runInSteps: sendDigests },
    {
      name: 'wake_conversations',
      runInSteps: async ({ step, signal }) => {
        while (!signal.aborted && (await step(wakeConversations)));
      },
    },
  ],
  widgets: {
    mail_model: { types: ['char'], doc: 'A model, chosen by its label.' },
    mail_fields: {
      types: ['char', 'text'],
      doc: 'A text with fields of the model that `options` names, such as `{"model": "model"}`: chosen from a list, in braces.',
    },
  },
  views: { inbox: { label: 'Inbox', icon: 'inbox', doc: 'Conversations of the mailboxes, in three panes.' } },
  notices: [mentioned, assigned, handedOver, added, followed],
  texts: [digestText, invitationAnswers.yes, invitationAnswers.maybe, invitationAnswers.no],
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
