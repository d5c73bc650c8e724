import { type ActionCall, afterCommit, text, UserError, wordsIn } from '@kontor/addon';
import { positionIn } from './follow-mailbox.ts';
import { settingsOf } from './mailbox-worker.ts';
import { openFolder } from './open-mailbox.ts';
import { problemOf } from './problem.ts';

const settingFields = [
  'kind',
  'host',
  'port',
  'tls',
  'username',
  'password',
  'folder',
  'position',
  'key_since',
] as const;

/** After the commit, because it takes time: signs in, looks at the folder and stores what it saw. */
export async function testMailboxes({ env, records }: ActionCall<'mail.mailbox'>): Promise<void> {
  const { say } = wordsIn(env, env.actor.lang, 'mail');
  // As the server: the password cannot be read. Administrators may write the mailbox, as checked before.
  const rows = await env.sudo().model('mail.mailbox').read(records.ids, settingFields);
  for (const row of rows) {
    if (row.kind === 'http') {
      throw new UserError(
        row.key_since ? 'Post an e-mail to test this mailbox.' : 'Create a key for this mailbox first.',
      );
    }
    afterCommit(env, async (transact) => {
      const seen = await lookInto(row).catch((error: unknown) => {
        throw new UserError(problemOf(error, settingsOf(row)));
      });
      const result = say(text('{all} e-mails in {folder}, {fresh} of them new.', { ...seen, folder: row.folder }));
      await transact((later) =>
        later.sudo().model('mail.mailbox').write([row.id], { tested_at: later.now.toISOString(), test_result: result }),
      );
    });
  }
}

async function lookInto(row: Parameters<typeof settingsOf>[0] & { readonly position: string | null }) {
  const folder = await openFolder(settingsOf(row));
  try {
    const all = await folder.uidsAfter(null);
    const fresh = await folder.uidsAfter(positionIn(row.position));
    return { all: all.length, fresh: fresh.length };
  } finally {
    await folder.close();
  }
}
