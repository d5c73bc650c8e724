import { dirname, join, resolve } from 'node:path';
import { explainLeak, installModules, previewUninstall, uninstallModule, upgradeModules } from '@kontor/kernel';
import type { Registry } from '@kontor/orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findLeaks } from './find-leaks.ts';
import { openScreens } from './open-screens.ts';
import { addonsOfRun, kontorRoot } from './place.ts';
import { shippedApps } from './shipped-apps.ts';
import { isLong } from './test-env.ts';
import { createTestKernel, type TestKernel } from './test-kernel.ts';
import { unreadFiles } from './unread-files.ts';

/**
 * What every addon gets for free: it installs with its demonstration data, upgrades without a change, can be taken away
 * and come back, opens every screen, leaves no model without access rows, none without a company or a reason, no part without the rules of its whole, no
 * count or sum over what its reader may not read without a reason and the groups that it is meant for, no field that looks personal without a word about it, and
 * no file unread.
 *
 * @example
 * checkAddon(import.meta.url);
 */
export function checkAddon(testFile: string): void {
  const folder = resolve(dirname(new URL(testFile).pathname), '..');
  const name = folder.slice(folder.lastIndexOf('/') + 1);
  const isShipped = dirname(folder) === join(kontorRoot, 'addons');
  const isAmongOthers = isShipped && !isLong;
  const place = isShipped ? {} : { addonsPath: [...new Set([...addonsOfRun(), folder])] };

  describe(`addon ${name}`, () => {
    let world: TestKernel;
    beforeAll(async () => {
      world = isAmongOthers
        ? await withEveryAddon()
        : await createTestKernel({ modules: [name], demo: true, ...place });
    });
    afterAll(() => (isAmongOthers ? undefined : world.close()));

    it('has access rows for each of its models', async () => {
      expect(await modelsWithoutAccess(world, name)).toEqual([]);
    });

    it('has no model that is part of another and has neither its rules nor own ones', () => {
      expect(partsWithoutRules(world, name)).toEqual([]);
    });

    it('has no model whose records are seen by all companies, without saying why', async () => {
      expect(await modelsWithoutCompany(world, name)).toEqual([]);
    });

    it('counts, adds up and tells of no record that the reader may not read, without saying why', async () => {
      const leaks = await findLeaks(world);
      const unexplained = leaks.filter(({ module, reason }) => module === name && reason === null);
      expect(unexplained.map(explainLeak)).toEqual([]);
    });

    it('shows sums over what the reader may not read to the groups that they are meant for', () => {
      expect(openSums(world.kernel.registry, name)).toEqual([]);
    });

    it('says of each field that looks personal whether it is', () => {
      const fields = undeclaredPersonalFields(world.kernel.registry, name);
      expect(fields.map((field) => `${field}: give it personal: true or personal: false`)).toEqual([]);
    });

    it('has no file that nobody reads', () => {
      expect(unreadFiles(folder).map((file) => `${file}: import it, or remove it`)).toEqual([]);
    });

    it('installs with demonstration data, and opens every screen', async () => {
      expect(await openScreens(world, name, world.admin)).toEqual([]);
    });

    // Last: it is taken away, and comes back without its demonstration data.
    it.skipIf(isAmongOthers)('upgrades without a change, can leave and come back', () => checkLife(world, name));
  });
}

/**
 * Except in the long run, shipped addons are checked on one installation of all of them, which ends with its process. That they
 * leave and come back is tested for all of them together (MOD-19).
 */
function withEveryAddon(): Promise<TestKernel> {
  everyAddon ??= createTestKernel({ modules: shippedApps(), demo: true });
  return everyAddon;
}

let everyAddon: Promise<TestKernel> | undefined;

async function checkLife({ kernel }: TestKernel, name: string): Promise<void> {
  const upgraded = await kernel.changeModules((context) => upgradeModules(context, [name]));
  const report = upgraded.reports.find(({ module }) => module === name);
  expect(report).toMatchObject({ created: 0, updated: 0, removed: [] });
  if (kernel.catalogue.get(name)?.manifest.required) return;
  // Addons that installed themselves with it leave first.
  for (const [other, state] of upgraded.states) {
    const { depends = [], auto_install: isOwn = false } = kernel.catalogue.get(other)?.manifest ?? {};
    const isWithIt = isOwn && state === 'installed' && depends.includes(name);
    if (isWithIt) await kernel.changeModules((context) => uninstallModule(context, other));
  }
  await expect(kernel.inspectModules((context) => previewUninstall(context, name))).resolves.toMatchObject({
    module: name,
  });
  const gone = await kernel.changeModules((context) => uninstallModule(context, name));
  expect(gone.states.get(name)).toBe('uninstalled');
  const back = await kernel.changeModules((context) => installModules(context, [name]));
  expect(back.states.get(name)).toBe('installed');
}

/** A model without an access row is closed to everyone; quiet models that only the server writes are meant to be. */
async function modelsWithoutAccess({ kernel, work }: TestKernel, name: string): Promise<string[]> {
  const rows = await work((env) => env.sudo().model('sys.access').searchRead([], ['model']));
  const open = new Set(rows.map((row) => row.model));
  return [...kernel.registry.models.values()]
    .filter((model) => model.module === name && (!model.quiet || model.isTransient) && !open.has(model.name))
    .map((model) => `${model.name}: add a row for it to security/access.csv`);
}

/**
 * What is deleted with a record is part of it. It has the rules of that record (`partOf`), or says why it has others
 * (`ownRules`). The company rule always applies.
 */
function partsWithoutRules({ kernel }: TestKernel, name: string): string[] {
  return [...kernel.registry.models.values()]
    .filter((model) => model.module === name && !model.quiet && model.partOf === null && model.ownRules === null)
    .flatMap((model) =>
      [...model.fields.values()]
        .filter(
          ({ spec }) => spec.type === 'many2one' && spec.ondelete === 'cascade' && spec.relation !== 'core.company',
        )
        .map(
          (field) =>
            `${model.name}: its records are deleted with those of ${field.name}. Give it partOf: '${field.name}', or say in ownRules why it has rules of its own`,
        ),
    );
}

/** Models that users may read, without a company rule, a parent record or a reason (`noCompany`). */
async function modelsWithoutCompany({ kernel, work }: TestKernel, name: string): Promise<string[]> {
  const rows = await work((env) =>
    env
      .sudo()
      .model('sys.access')
      .searchRead([['perm_read', '=', true]], ['model']),
  );
  const open = new Set(rows.map((row) => row.model));
  return [...kernel.registry.models.values()]
    .filter((model) => model.module === name && open.has(model.name) && !model.isTransient && !model.served)
    .filter((model) => !(model.hasCompany && model.companyRule !== false) && model.partOf === null)
    .filter((model) => model.noCompany === null)
    .map((model) => `${model.name}: give it a company_id, or say in noCompany why all companies see its records`);
}

/** Sums and counts that the server computes (`asServer`) and that everybody who reads the record can see. */
function openSums({ models }: Registry, module: string): string[] {
  return [...models.values()].flatMap((model) =>
    [...model.fields.values()]
      .filter(({ compute, spec, module: of }) => {
        const isSum = compute !== null && !('value' in compute) && compute.asServer !== undefined;
        return of === module && isSum && spec.groups === undefined && spec.meantFor === undefined;
      })
      .map(({ name }) => `${model.name}.${name}: name in groups or meantFor who may see this sum over all records`),
  );
}

const looksPersonal = /(?:^|_)(?:e?mail|email_from|phone|mobile|fax|street2?|zip|birthday|contact_name|login)(?:_|$)/;

/** Text fields of a module whose name suggests personal data, and that declare neither `personal: true` nor `false`. */
export function undeclaredPersonalFields({ models }: Registry, module: string): string[] {
  return [...models.values()].flatMap((model) =>
    [...model.fields.values()]
      .filter(({ name, spec, kind, module: of, column }) => {
        const isStoredText = kind.isText && column !== null && !spec.secret;
        return of === module && isStoredText && spec.personal === undefined && looksPersonal.test(name);
      })
      .map(({ name }) => `${model.name}.${name}`),
  );
}
