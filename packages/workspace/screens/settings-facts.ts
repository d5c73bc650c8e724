import type { Kernel } from '@kontor/kernel';
import { hasMail } from '@kontor/kernel';
import type { Env } from '@kontor/orm';
import type { SettingsFacts } from '@kontor/protocol';

const counted = [
  ...(['identity.companies', 'identity.people', 'identity.keys', 'automations.active'] as const),
  ...(['mail.waiting', 'mail.dead', 'jobs.active', 'jobs.failing', 'logs.errors'] as const),
];

/** The caller has checked that an administrator asks. */
export async function settingsFacts(kernel: Kernel, env: Env): Promise<SettingsFacts> {
  const { config, catalogue, loaded } = kernel;
  const counts = await kernel.count(counted);
  const languages = await env
    .sudo()
    .model('core.lang')
    .count([['active', '=', true]]);
  const [company] = await env
    .sudo()
    .model('core.company')
    .read(env.actor.companyId === null ? [] : [env.actor.companyId], ['name']);
  const installed = [...catalogue.values()].filter(
    ({ name, manifest }) => manifest.application && loaded.states.get(name) === 'installed',
  );
  return {
    company: { id: company?.id ?? 0, name: String(company?.name ?? '') },
    companies: counts['identity.companies'],
    people: counts['identity.people'],
    keys: counts['identity.keys'],
    languages,
    automations: counts['automations.active'],
    errors: counts['logs.errors'],
    apps: installed.length,
    mail: { isSetUp: hasMail(config), waiting: counts['mail.waiting'], dead: counts['mail.dead'] },
    jobs: { active: counts['jobs.active'], failing: counts['jobs.failing'] },
  };
}
