import '@addons/mail';
import { inheritModel } from '@kontor/addon';
import { noteAnswers } from '../sending/note-answers.ts';

/** What comes back tells what became of a mailing. */
export const incomingMailing = inheritModel('mail.incoming', {
  hooks: {
    on: ['answers_ref'],
    afterWrite: ({ env, ids }) => noteAnswers(env, ids),
  },
});
