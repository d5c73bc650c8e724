import { randomBytes } from 'node:crypto';
import { type Env, outsideRequests, type Text, type WorkerSpec, wordsFor } from '@kontor/addon';
import { followMailbox, type HeldMailbox, leaseSeconds, positionIn, startIn } from './follow-mailbox.ts';
import { connectionFields, keepRefreshToken, settingsOf } from './mailbox-settings.ts';
import { problemOf } from './problem.ts';

const shortestPauseMs = 30_000;
const longestPauseMs = 900_000;

/**
 * Follows the mailboxes with IMAP, each in one process: its row has a lease, which the process renews. A mailbox that fails is
 * tried again after growing pauses.
 */
export function mailboxWorker(): WorkerSpec {
  return {
    name: 'mailboxes',
    models: ['mail.mailbox'],
    async run({ step, begin, signal }) {
      if (signal.aborted) return;
      for (const held of await step(claimMailboxes)) {
        const keep = (id: number) => (token: string) => step((env) => keepRefreshToken(env, id, token));
        const mailbox = withKeep(held, keep(held.id));
        begin(async () => {
          let failure: Text | null = null;
          try {
            await followMailbox(mailbox, { step, signal });
          } catch (error) {
            failure = problemOf(error, mailbox.settings);
          }
          // A stopped server gives the lease back; otherwise it expires.
          await step((env) => release(env, mailbox, failure)).catch(() => {});
        });
      }
    },
  };
}

const settingFields = [...connectionFields, 'company_id', 'position', 'starts', 'start_at'] as const;

async function claimMailboxes(env: Env): Promise<readonly HeldMailbox[]> {
  const mailboxes = env.sudo().model('mail.mailbox');
  const now = env.now.toISOString();
  // A lease that ends later than any can was taken before the clock was set back; its holder would have to be waited for.
  const tooLate = new Date(env.now.getTime() + 2 * leaseSeconds * 1_000).toISOString();
  const due = await mailboxes.searchRead(
    [
      ['active', '=', true],
      ['kind', '=', 'imap'],
      ...(['|', ['next_try', '=', null], ['next_try', '<=', now]] as const),
      ...(['|', '|', ['locked_until', '=', null], ['locked_until', '<', now], ['locked_until', '>', tooLate]] as const),
    ],
    settingFields,
    { limit: 50 },
  );
  const held: HeldMailbox[] = [];
  for (const row of due) {
    const claim = randomBytes(12).toString('hex');
    const until = new Date(env.now.getTime() + leaseSeconds * 1_000).toISOString();
    await mailboxes.write([row.id], { locked_by: claim, locked_until: until });
    held.push({
      ...{ id: row.id, company_id: row.company_id, claim, position: positionIn(row.position) },
      ...{ settings: settingsOf(row, outsideRequests(env)), start: startIn(row.start_at, row.starts) },
    });
  }
  return held;
}

function withKeep(held: HeldMailbox, keep: (token: string) => Promise<void>): HeldMailbox {
  const { token } = held.settings;
  return token ? { ...held, settings: { ...held.settings, token: { ...token, keep } } } : held;
}

async function release(env: Env, { id, claim }: HeldMailbox, failure: Text | null): Promise<void> {
  const mailboxes = env.sudo().model('mail.mailbox');
  const [row] = await mailboxes.searchRead(
    [
      ['id', '=', id],
      ['locked_by', '=', claim],
    ],
    ['failures', 'user_id'],
  );
  if (!row) return;
  const failures = failure === null ? 0 : row.failures + 1;
  const pauseMs = failures === 0 ? 0 : Math.min(longestPauseMs, shortestPauseMs * 2 ** (failures - 1));
  await mailboxes.write([id], {
    ...{ locked_by: null, locked_until: null, failures },
    ...(failure === null
      ? {}
      : { last_error: (await wordsFor(env, row.user_id ?? 0, 'mail')).say(failure), failed_at: env.now.toISOString() }),
    next_try: new Date(env.now.getTime() + pauseMs).toISOString(),
  });
}
