import { randomUUID } from 'node:crypto';
import { type Env, type NoticeSpec, tellPerson, text } from '@kontor/addon';

/** An automation that fails this often in a row is switched off. */
export const mostFailures = 5;

export const pausedNotice: NoticeSpec = {
  name: 'automations.paused',
  label: text('One of your automations was switched off'),
  usual: 'both',
};

const reasons = {
  failing: text('It failed several times in a row. The log says why.'),
  rights: text('Its author may no longer do what it does. Somebody else can take it over by switching it on.'),
  owner: text('Its author can no longer sign in. Somebody else can take it over by switching it on.'),
  broken: text('It does not fit the records any more.'),
} as const;

/** Switches an automation off, and tells its author and the administrators. The env is that of the server. */
export async function pauseFor(env: Env, id: number, reason: keyof typeof reasons, problem = ''): Promise<void> {
  const rules = env.model('automation.rule');
  const [row] = await rules.read([id], ['name', 'author_id', 'state']);
  if (row?.state !== 'on') return;
  await rules.write([id], { state: 'paused', paused_for: reason, problem: problem.slice(0, 500) || null });
  const { name, author_id: author } = row;
  const system = await env.model('core.user').search([['group_ids.key', '=', 'base.group_system']], { limit: 5 });
  for (const person of new Set([...(author === null ? [] : [author]), ...system])) {
    await tellPerson(env, person, pausedNotice, () => ({
      kind: 'error',
      title: text('The automation {name} was switched off', { name }),
      body: reasons[reason],
      about: { model: 'automation.rule', id, name },
      mail: { paragraphs: [reasons[reason]] },
    }));
  }
}

/** The row is locked by a change, so that runs at the same time are counted one after another. */
async function lockedProgress(env: Env, ruleId: number) {
  // As the server: progress cannot be written. The caller writes the automation or runs it, and learns nothing.
  const progress = env.sudo().model('automation.progress');
  const [known] = await progress.search([['rule_id', '=', ruleId]]);
  const id = known ?? (await progress.create({ rule_id: ruleId }));
  await progress.write([id], { lock: randomUUID() });
  const [row] = await progress.read([id], ['failures', 'turns']);
  return { progress, id, failures: row?.failures ?? 0, turns: row?.turns ?? 0 };
}

export async function beginProgress(env: Env, ruleIds: readonly number[]): Promise<void> {
  // As the server, as above.
  await env
    .sudo()
    .model('automation.progress')
    .createMany(ruleIds.map((rule_id) => ({ rule_id })));
}

export async function resetFailures(env: Env, ruleId: number): Promise<void> {
  const known = env.sudo().model('automation.progress');
  const failing = await known.search([
    ['rule_id', '=', ruleId],
    ['failures', '>', 0],
  ]);
  if (failing.length > 0) await known.write(failing, { failures: 0 });
}

/** Returns whether it has failed too often. */
export async function countFailure(env: Env, ruleId: number): Promise<boolean> {
  const { progress, id, failures } = await lockedProgress(env, ruleId);
  await progress.write([id], { failures: failures + 1 });
  return failures + 1 >= mostFailures;
}

export async function nextTurn(env: Env, ruleId: number): Promise<number> {
  const { progress, id, turns } = await lockedProgress(env, ruleId);
  await progress.write([id], { turns: turns + 1 });
  return turns + 1;
}
