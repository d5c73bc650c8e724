import type { Env } from '@kontor/addon';
import { tellPosted } from '../chatter/post-message.ts';
import { withNames } from './relation-names.ts';
import { type Change, trackedChanges } from './tracked-change.ts';

/** Writes one message a record for the tracked fields that a unit of work changed, in its transaction. */
export async function track(env: Env, changes: readonly Change[]): Promise<void> {
  const records = await withNames(env, trackedChanges(env, changes));
  if (records.length === 0) return;
  const messages = await env
    .sudo()
    .model('mail.message')
    .createMany(
      records.map((record) => ({
        model: record.model,
        res_id: record.id,
        kind: 'tracking',
        author_id: env.uid || null,
        tracking: record.fields,
      })),
    );
  for (const [index, record] of records.entries()) await tellPosted(env, record, messages[index] as number);
}
