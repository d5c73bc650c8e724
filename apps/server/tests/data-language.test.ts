import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parsePo } from '@kontor/kernel';
import { shippedApps } from '@kontor/testing/shipped-apps';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from './browser.ts';
import { startTestServer, type TestServer } from './test-server.ts';

const addons = fileURLToPath(new URL('../../../addons', import.meta.url));
const who = { email: 'greta@example.com', password: 'richtig pferd batterie' };
let world: TestServer;
let admin: Browser;
beforeAll(async () => {
  world = await startTestServer({ isSetUp: false });
  const about = { company_name: 'Nordlicht', admin_name: 'Greta', country: 'DE', apps: 'crm,project', ...who };
  expect((await world.browser().json('/setup/init', about)).status).toBe(200);
  admin = await world.signedIn(who.email, who.password);
}, 120_000);
afterAll(() => world.close());

const namesOf = async (model: string, field = 'name') =>
  (await admin.rpc<Record<string, string>[]>(model, 'search_read', [[], [field]], { limit: 500 })).map(
    (row) => row[field],
  );

/** From now on the administrator reads in this language. */
const speak = async (lang: string) => {
  const [me] = await admin.rpc<{ id: number }[]>('core.user', 'search_read', [[], ['id']]);
  await admin.rpc('core.user', 'write', [[me?.id], { lang }]);
};
const stage = async (name: string) => {
  const [found] = await admin.rpc<{ id: number }[]>('crm.stage', 'search_read', [[['name', '=', name]], ['id']]);
  return found?.id;
};

describe('TRL-11 set up in German', () => {
  it('TRL-11 what every installation has, and what the apps bring, has German names', async () => {
    expect(await namesOf('mail.activity.type')).toEqual(['Zu erledigen', 'Anruf', 'E-Mail', 'Besprechung', 'Dokument']);
    expect(await namesOf('crm.stage')).toEqual(['Neu', 'Qualifiziert', 'Angebot', 'Verhandlung', 'Gewonnen']);
    expect(await namesOf('project.stage')).toEqual(['Zu erledigen', 'In Arbeit', 'Prüfung', 'Erledigt']);
    expect(await namesOf('core.country')).toEqual(expect.arrayContaining(['Deutschland', 'Österreich', 'Norwegen']));
    expect(await namesOf('core.currency', 'full_name')).toContain('Schweizer Franken');
    expect(await namesOf('core.group')).toEqual(expect.arrayContaining(['Benutzer', 'CRM: Teamleitung']));
  });

  it('TRL-11 an app that comes later speaks the same language, and what people renamed stays', async () => {
    await admin.rpc('crm.stage', 'write', [[await stage('Neu')], { name: 'Frisch' }]);
    await speak('fr_FR');
    await admin.json('/web/module/action', { module: 'sale', do: 'install' });
    await speak('de_DE');
    expect(await namesOf('sale.stage')).toEqual(['Angebot', 'Versendet', 'In Verhandlung', 'Bestätigt', 'Storniert']);
    expect(await namesOf('crm.stage')).toContain('Frisch');
    expect(await namesOf('product.uom')).toContain('Stk.');
    // SET-6: the taxes of the country that was chosen at the setup.
    expect(await namesOf('sale.tax')).toEqual(['USt. 19 %', 'USt. 7 %', 'USt. 0 %']);
    const usual = await admin.rpc('core.company', 'search_read', [[], ['sale_tax_id.name']]);
    expect(usual).toMatchObject([{ 'sale_tax_id.name': 'USt. 19 %' }]);
  });

  it('TRL-14 each reader has the names of data files in their language, and what people renamed as it is', async () => {
    const shown: Record<string, unknown> = {};
    for (const lang of ['de_DE', 'de_AT', 'fr_FR', 'en_US', 'en_GB', 'ar', 'pl_PL']) {
      await speak(lang);
      shown[lang] = (await namesOf('crm.stage')).slice(0, 3);
    }
    const [german, french, english] = [
      ['Frisch', 'Qualifiziert', 'Angebot'],
      ['Frisch', 'Qualifié', 'Proposition'],
      ['Frisch', 'Qualified', 'Proposition'],
    ];
    expect(shown).toMatchObject({ de_DE: german, de_AT: german, fr_FR: french, en_US: english, en_GB: english });
    expect(shown).toMatchObject({ ar: ['Frisch', 'مؤهّل', 'عرض'], pl_PL: english });

    await speak('fr_FR');
    expect(await namesOf('core.country')).toContain('Allemagne');
    const lead = await admin.rpc<number>('crm.lead', 'create', [{ name: 'Pompes', type: 'opportunity' }]);
    await admin.rpc('crm.lead', 'write', [[lead], { stage_id: await stage('Qualifié') }]);
    // In relations, groups, conditions and orders as well.
    const [read] = await admin.rpc<object[]>('crm.lead', 'read', [[lead], ['stage_id', 'stage_id.display_name']]);
    expect(read).toMatchObject({ 'stage_id.display_name': 'Qualifié' });
    const groups = await admin.rpc('crm.lead', 'read_group', [{ domain: [['id', '=', lead]], groupby: ['stage_id'] }]);
    expect(groups).toMatchObject([{ 'stage_id.display_name': 'Qualifié' }]);
    const found = (name: string) =>
      admin.rpc<object[]>('crm.lead', 'search_read', [[['stage_id', 'ilike', name]], ['id']]);
    // A filter finds the same for readers of every language.
    expect([await found('ualifié'), await found('ualifiz')]).toEqual([[{ id: lead }], [{ id: lead }]]);
    const named = await admin.rpc<{ name: string }[]>(
      'core.country',
      'search_read',
      [[['code', 'in', ['DE', 'AT', 'ES']]], ['name']],
      { order: 'name' },
    );
    expect(named.map(({ name }) => name)).toEqual(['Allemagne', 'Autriche', 'Espagne']);
  });

  it('TRL-14 a name that was only read and written back stays translated; a change and its undo hold for all', async () => {
    await speak('fr_FR');
    const id = await stage('Qualifié');
    const names = async () => {
      const all: unknown[] = [];
      for (const lang of ['de_DE', 'fr_FR']) {
        await speak(lang);
        const [row] = await admin.rpc<{ name: string }[]>('crm.stage', 'read', [[id], ['name']]);
        all.push(row?.name);
      }
      return all;
    };
    await admin.rpc('crm.stage', 'write', [[id], { name: 'Qualifié', fold: true }]);
    await admin.rpc('crm.stage', 'write', [[id], { name: 'Qualified', fold: false }]);
    expect(await names()).toEqual(['Qualifiziert', 'Qualifié']);

    // What the caller saw is compared in their language.
    const change = { model: 'crm.stage', method: 'write', args: [[id], { name: 'Vérifié' }] };
    const answer = await admin.json('/api/rpc', { ...change, kwargs: { base: { name: 'Qualifié' } } });
    expect(answer.status).toBe(200);
    expect(await names()).toEqual(['Vérifié', 'Vérifié']);
    await admin.rpc('sys.change.set', 'call', [Number(answer.headers.get('x-change-set')), 'action_revert']);
    expect(await names()).toEqual(['Qualifiziert', 'Qualifié']);
    await speak('de_DE');
  });

  it('LNG-1 German, French and Arabic have words for every such name, and none for others', async () => {
    const english = await startTestServer({ modules: shippedApps(), demo: true });
    const reader = await english.signedIn();
    const texts = new Set(await textsOf(english, reader));
    const installed = [[['state', '=', 'installed']], ['name']];
    const modules = await reader.rpc<{ name: string }[]>('sys.module', 'search_read', installed);
    await english.close();
    for (const lang of ['de_DE', 'fr_FR', 'ar']) {
      const words = new Set(modules.flatMap(({ name }) => wordsOf(name, lang).map((text) => `${name}: ${text}`)));
      expect(
        [...texts].filter((text) => !words.has(text)),
        lang,
      ).toEqual([]);
      expect(
        [...words].filter((text) => !texts.has(text)),
        lang,
      ).toEqual([]);
    }
  }, 120_000);
});

/** The texts that data files give to records that people see by name, with their modules. */
async function textsOf({ kernel }: TestServer, reader: Browser): Promise<readonly string[]> {
  const spoken = [...kernel.registry.models.values()].map(
    ({ name, fields }) =>
      [name, [...fields.values()].filter(({ spec }) => spec.translated === true).map((field) => field.name)] as const,
  );
  const named = spoken.filter(([, fields]) => fields.length > 0);
  const found = await Promise.all(
    // A category keeps the language of the setup: its path is stored, and people order and search by it.
    [...named, ['product.category', ['name']] as const].map(async ([model, fields]) => {
      const all = { limit: 500 };
      const ids = await reader.rpc<{ module: string; res_id: number }[]>(
        'sys.model.data',
        'search_read',
        [[['model', '=', model]], ['module', 'res_id']],
        all,
      );
      const moduleOf = new Map(ids.map(({ module, res_id }) => [res_id, module]));
      type Row = { readonly id: number } & Readonly<Record<string, string | null>>;
      const rows = await reader.rpc<Row[]>(model, 'search_read', [[], [...fields]], all);
      return rows.flatMap((row) =>
        fields.flatMap((field) =>
          moduleOf.has(row.id) && row[field] ? [`${moduleOf.get(row.id)}: ${row[field]}`] : [],
        ),
      );
    }),
  );
  return found.flat();
}

function wordsOf(module: string, lang: string): readonly string[] {
  const entries = parsePo(readFileSync(`${addons}/${module}/i18n/${lang}.po`, 'utf8'));
  return entries.filter(({ context, strings }) => context === 'data' && strings[0] !== '').map(({ id }) => id);
}
