import { type Env, mailStates } from '@kontor/addon';

/** Answers and bounces of mailings, by the Message-ID that they name. As the server: the senders have no rights. */
export async function noteAnswers(env: Env, ids: readonly number[]): Promise<void> {
  const server = env.sudo();
  const incoming = await server.model('mail.incoming').read(ids, ['answers_ref', 'mark']);
  for (const { answers_ref: ref, mark } of incoming) {
    if (ref === null || (mark !== 'message' && mark !== 'bounce')) continue;
    const [found] = await server
      .model('mailing.recipient')
      .searchRead([['mail_key', '=', ref]], ['address_id'], { limit: 1 });
    if (!found) continue;
    await server.model('mailing.recipient').write([found.id], mark === 'bounce' ? { bounced: 1 } : { answered: 1 });
    // An address that did not work gets no further mailing, until somebody says that it works again.
    const bounced_at = mark === 'bounce' ? env.now.toISOString() : null;
    await server.model('mailing.address').write([found.address_id], { bounced_at });
  }
}

const batch = 500;

/** What became of mails that were put into the queue of outgoing mail. Returns the position for the next part; null: there is none. */
export async function settleRecipients(env: Env, after: number): Promise<number | null> {
  const recipients = env.sudo().model('mailing.recipient');
  const rows = await recipients.searchRead(
    [
      ['id', '>', after],
      ['settled', '=', false],
      ['sent', '=', 1],
    ],
    ['mail_key'],
    { order: 'id', limit: batch },
  );
  const states = await mailStates(
    env,
    rows.flatMap(({ mail_key: key }) => key ?? []),
  );
  const of = (wanted: string) =>
    rows.filter(({ mail_key: key }) => states.get(key ?? '') === wanted).map(({ id }) => id);
  await recipients.write(of('sent'), { settled: true });
  await recipients.write(of('failed'), { settled: true, sent: 0, failed: 1 });
  return rows.length === batch ? (rows.at(-1)?.id ?? null) : null;
}
