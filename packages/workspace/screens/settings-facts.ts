import { sql } from '@kontor/database';
import type { Kernel } from '@kontor/kernel';
import { hasMail } from '@kontor/kernel';
import type { Env } from '@kontor/orm';
import type { SettingsFacts } from '@kontor/protocol';

type Counts = Readonly<
  Record<
    'companies' | 'people' | 'keys' | 'languages' | 'automations' | 'waiting' | 'dead' | 'jobs' | 'failing' | 'errors',
    number
  >
>;

/** One statement over the system's own tables. The caller has checked that an administrator asks. */
export async function settingsFacts({ config, catalogue, loaded }: Kernel, env: Env): Promise<SettingsFacts> {
  const [counts] = await env.db.query<Counts>(sql`
    select (select count(*)::int4 from core_company where active) as companies,
      (select count(*)::int4 from core_user where active) as people,
      (select count(*)::int4 from core_user_apikey
        where active and (expires_at is null or expires_at > now())) as keys,
      (select count(*)::int4 from core_lang where active) as languages,
      (select count(*)::int4 from sys_automation where active) as automations,
      (select count(*)::int4 from mail_queue where state in ('queued', 'sending')) as waiting,
      (select count(*)::int4 from mail_queue where state = 'dead') as dead,
      (select count(*)::int4 from sys_cron where active) as jobs,
      (select count(*)::int4 from sys_cron where failures > 0) as failing,
      (select count(*)::int4 from sys_log where at > now() - interval '1 day' and level <> 'warning') as errors`);
  const { companies, people, keys, languages, automations, waiting, dead, jobs, failing, errors } = counts as Counts;
  const [company] = await env
    .sudo()
    .model('core.company')
    .read(env.actor.companyId === null ? [] : [env.actor.companyId], ['name']);
  const installed = [...catalogue.values()].filter(
    ({ name, manifest }) => manifest.application && loaded.states.get(name) === 'installed',
  );
  return {
    company: { id: company?.id ?? 0, name: String(company?.name ?? '') },
    ...{ companies, people, keys, languages, automations, errors },
    apps: installed.length,
    mail: { isSetUp: hasMail(config), waiting, dead },
    jobs: { active: jobs, failing },
  };
}
