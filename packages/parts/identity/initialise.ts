import { sql } from '@kontor/database';
import { installModules, type Kernel, keepDataLanguage, translateModuleData } from '@kontor/kernel';
import type { Env } from '@kontor/orm';
import { KontorError } from '@kontor/protocol';
import { hasUsers } from './has-users.ts';
import type { SetupForm } from './setup-form.ts';

/** Makes the company, its first administrator and the apps, in one transaction. The second of two callers gets CONFLICT. */
export async function initialise(kernel: Kernel, form: SetupForm): Promise<void> {
  const apps = form.apps.length > 0 || !form.withDemo ? form.apps : shippedApps(kernel);
  await kernel.changeModules(
    async (context) => {
      // Not waited for: an install can take longer than a lock may be waited for, and the second is refused anyway.
      const [lock] = await context.tx.query<{ is_ours: boolean }>(
        sql`select pg_try_advisory_xact_lock(hashtext('kontor.setup')) as is_ours`,
      );
      if (!lock?.is_ours) throw new KontorError('CONFLICT', 'Kontor is being set up at this moment.');
      if (await hasUsers(context.tx)) throw new KontorError('CONFLICT', 'Kontor has been set up already.');
      const base = await installModules({ ...context, withDemo: false }, []);
      const env = context.envFor(base.registry, context.tx).sudo();
      await createFirstRecords(env, form);
      await keepDataLanguage(env, form.lang);
      // What every installation has was there before anybody said in which language.
      await translateModuleData(env, context, base, form.lang);
      return apps.length === 0 && !form.withDemo ? base : installModules(context, apps);
    },
    { withDemo: form.withDemo },
  );
}

/** What a demonstration shows when nobody chose: every app that comes with the server. */
function shippedApps({ catalogue }: Kernel): readonly string[] {
  return [...catalogue.values()]
    .filter((addon) => addon.isShipped && addon.manifest.application)
    .map(({ name }) => name);
}

/** They come before the apps, whose demonstration data refer to them as `base.main_company` and `base.user_admin`. */
async function createFirstRecords(env: Env, form: SetupForm): Promise<void> {
  const companyId = await env.model('core.company').create({
    name: form.companyName,
    currency_id: await currencyFor(env, form.lang),
  });
  const userId = await env.model('core.user').create({
    name: form.adminName,
    login: form.email,
    email: form.email,
    password: form.password,
    lang: form.lang,
    company_id: companyId,
    company_ids: [['set', [companyId]]],
    group_ids: [['set', [await env.ref('base.group_system')]]],
  });
  await env.model('sys.model.data').createMany([
    { module: 'base', name: 'main_company', model: 'core.company', res_id: companyId, noupdate: true },
    { module: 'base', name: 'user_admin', model: 'core.user', res_id: userId, noupdate: true },
  ]);
}

/** The currency of the language's country, else the euro. */
async function currencyFor(env: Env, lang: string): Promise<number> {
  const [, code = ''] = lang.split('_');
  const [country] = await env.model('core.country').searchRead([['code', '=', code]], ['currency_id']);
  return typeof country?.currency_id === 'number' ? country.currency_id : env.ref('base.EUR');
}
