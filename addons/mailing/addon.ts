import { defineAddon } from '@kontor/addon';
import { optOutText } from './mailing-texts.ts';
import { mailingAddress } from './models/address.ts';
import { incomingMailing } from './models/incoming.ts';
import { mailingMailing } from './models/mailing.ts';
import { partnerMailing } from './models/partner.ts';
import { mailingRecipient } from './models/recipient.ts';
import { mailingSettings } from './models/settings.ts';
import { optOutRoutes } from './optout/routes.ts';
import { listRecipients } from './sending/list-recipients.ts';
import { settleRecipients } from './sending/note-answers.ts';
import { recipients } from './sending/send-next.ts';

export type * from './models/address.ts';
export type * from './models/mailing.ts';
export type * from './models/recipient.ts';

export default defineAddon({
  models: [mailingMailing, mailingRecipient, mailingAddress, partnerMailing, incomingMailing, ...mailingSettings],
  texts: [optOutText],
  routes: optOutRoutes,
  queues: [recipients],
  jobs: [
    {
      name: 'list_recipients',
      runInSteps: async ({ step, signal }) => {
        while (!signal.aborted && (await step(listRecipients)));
        let after: number | null = 0;
        while (!signal.aborted && after !== null) {
          const from: number = after;
          after = await step((env) => settleRecipients(env, from));
        }
      },
    },
  ],
});
