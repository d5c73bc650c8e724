import type { Env } from '@kontor/addon';

/** Nobody has to do anything any more about a record that is gone. */
export async function forgetActivities(env: Env, gone: ReadonlyMap<string, readonly number[]>): Promise<void> {
  for (const [model, ids] of gone) {
    const activities = env.sudo().model('mail.activity');
    const left = await activities.search([
      ['model', '=', model],
      ['res_id', 'in', [...ids]],
    ]);
    if (left.length > 0) await activities.unlink(left);
  }
}
