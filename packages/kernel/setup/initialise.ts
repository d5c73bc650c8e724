import { sql } from '@kontor/database';
import type { Env } from '@kontor/orm';
import { KontorError } from '@kontor/protocol';
import { addonOf } from '../addons/catalogue.ts';
import { readDataFiles } from '../addons/data/read-data-files.ts';
import { keepDataLanguage, speakData } from '../addons/data/speak-data.ts';
import { xmlViewLoader } from '../addons/data/xml-view-loader.ts';
import type { InstallContext, ModuleChange } from '../addons/install-context.ts';
import { installModules } from '../addons/install-modules.ts';
import type { Kernel } from '../kernel.ts';
import { hasUsers } from '../runtime/has-users.ts';
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
      await speakBase(env, context, base, form.lang);
      return apps.length === 0 && !form.withDemo ? base : installModules(context, apps);
    },
    { withDemo: form.withDemo },
  );
}

/** What every installation has was there before anybody said in which language. */
async function speakBase(env: Env, { catalogue }: InstallContext, base: ModuleChange, lang: string): Promise<void> {
  for (const module of base.definitions.keys()) {
    const records = await readDataFiles(addonOf(catalogue, module), xmlViewLoader, { withDemo: false });
    await speakData(env, { module, records, lang, translations: base.translations });
  }
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
