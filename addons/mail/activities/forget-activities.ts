import type { Env } from '@kontor/addon';
import type { Change } from '../tracking/tracked-change.ts';

/** Nobody has to do anything any more about a record that is gone. */
export async function forgetActivities(env: Env, changes: readonly Change[]): Promise<void> {
  const gone = new Map<string, number[]>();
  for (const { model, id, operation } of changes) {
    if (operation === 'unlink') gone.set(model, [...(gone.get(model) ?? []), id]);
  }
  for (const [model, ids] of gone) {
    const activities = env.sudo().model('mail.activity');
    const left = await activities.search([
      ['model', '=', model],
      ['res_id', 'in', ids],
    ]);
    if (left.length > 0) await activities.unlink(left);
  }
}
