import type { Env } from '@kontor/addon';
import type { Thread } from '../chatter/thread.ts';
import { exists } from './find-thread.ts';
import { sha256 } from './in-turns.ts';
import type { ParsedMessage } from './parse-message.ts';

export interface Copy {
  /** The record that the same e-mail is on already. */
  readonly thread: Thread | null;
  /** What the message is stored with, so that a copy that is filed at the same moment fails and is tried again. */
  readonly key: string | null;
}

/**
 * The same e-mail of the same company, which came by another mailbox or once more. Its content counts as well: a forged Message-ID must
 * not suppress another e-mail.
 */
export async function findCopy(env: Env, companyId: number, message: ParsedMessage): Promise<Copy> {
  if (message.messageId === null) return { thread: null, key: null };
  const key = `in ${companyId} ${await contentHash(message)}`;
  // As the server: the sender may read nothing.
  const [row] = await env
    .sudo()
    .model('mail.message')
    .searchRead([['post_key', '=', key]], ['model', 'res_id']);
  if (!row) return { thread: null, key };
  const thread = { model: row.model, id: row.res_id };
  return { thread: (await exists(env, thread)) ? thread : null, key: null };
}

function contentHash({ messageId, from, subject, body, files }: ParsedMessage): Promise<string> {
  const head = JSON.stringify([messageId, from?.address ?? null, subject, body.shown, body.folded]);
  return sha256([head, ...files.flatMap(({ name, data }) => [JSON.stringify([name, data.length]), data])]);
}
