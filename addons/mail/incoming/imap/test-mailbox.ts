import { type ActionCall, afterCommit, outsideRequests, text, UserError, wordsIn } from '@kontor/addon';
import { positionIn, startIn } from './follow-mailbox.ts';
import { connectionFields, keepRefreshToken, settingsOf } from './mailbox-settings.ts';
import { type ImapSettings, openFolder } from './open-mailbox.ts';
import { problemOf } from './problem.ts';

const settingFields = [...connectionFields, 'kind', 'position', 'key_since', 'starts', 'start_at'] as const;

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
    const plain = settingsOf(row, outsideRequests(env));
    afterCommit(env, async (transact) => {
      const keep = async (token: string) => void (await transact((later) => keepRefreshToken(later, row.id, token)));
      const settings = plain.token ? { ...plain, token: { ...plain.token, keep } } : plain;
      const since = row.starts === 'history' ? null : startIn(row.start_at, row.starts).at;
      const seen = await lookInto(settings, row.position, since).catch((error: unknown) => {
        throw new UserError(problemOf(error, settings));
      });
      const result = say(text('{all} e-mails in {folder}, {fresh} of them new.', { ...seen, folder: row.folder }));
      await transact((later) =>
        later.sudo().model('mail.mailbox').write([row.id], { tested_at: later.now.toISOString(), test_result: result }),
      );
    });
  }
}

async function lookInto(settings: ImapSettings, position: string | null, since: Date | null) {
  const folder = await openFolder(settings);
  try {
    const all = await folder.uidsAfter(null);
    const fresh = await folder.uidsAfter(positionIn(position), since);
    return { all: all.length, fresh: fresh.length };
  } finally {
    await folder.close();
  }
}
