import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Addon, Catalogue } from '../addons/catalogue.ts';
import { dependencyOrder } from '../addons/dependency-order.ts';
import { discoverAddons } from '../addons/discover-addons.ts';
import { checkManifest } from '../addons/manifest.ts';
import { planInstall } from '../addons/plan-install.ts';
import { addonFolder } from './addon-fixtures.ts';

function catalogueOf(depends: Readonly<Record<string, readonly string[] | object>>): Catalogue {
  return new Map(
    Object.entries(depends).map(([name, given]) => {
      const extra = Array.isArray(given) ? { depends: given } : given;
      const manifest = checkManifest({ name, label: name, version: '1.0', ...extra }, name, 'manifest.json');
      const addon: Addon = { name, folder: `/addons/${name}`, isShipped: true, manifest, hasCode: false };
      return [name, addon];
    }),
  );
}

describe('manifest', () => {
  const check = (manifest: object) => () =>
    checkManifest({ name: 'sale', label: 'Sales', version: '1.0', ...manifest }, 'sale', '/x/sale/manifest.json');

  it('MOD-1 fills what is left out', () => {
    expect(check({})()).toMatchObject({
      depends: [],
      application: false,
      auto_install: false,
      required: false,
      icon: '',
    });
  });
  it.each([
    [{ aplication: true }, 'Unknown key "aplication". Did you mean "application"?'],
    [{ application: 'yes' }, '"application" must be true or false, not "yes".'],
    [
      { depends: 'base' },
      '"depends" must be a list of addon names, each alone or with versions as in "sale@^0.1", not "base".',
    ],
    [{ depends: ['Base'] }, '"depends" must be a list of addon names'],
    [{ depends: ['crm', 'crm'] }, '"crm" is twice in "depends".'],
    [{ label: '' }, '"label" is missing.'],
    [{ name: 'sales' }, 'The name "sales" is not the folder\'s name "sale".'],
    [{ name: '9sale' }, '"9sale" is not an addon name'],
    [{ version: 'new' }, 'The version "new" is not like 1.0.2.'],
    [{ constructor: 1 }, 'Unknown key "constructor".'],
  ])('MOD-1 refuses %j and says where', (manifest, message) => {
    expect(check(manifest)).toThrow(`sale: /x/sale/manifest.json: ${message}`);
  });
});

describe('discovery', () => {
  it('MOD-2 finds addons under several roots, later roots win', async () => {
    const shipped = addonFolder({ sale: { manifest: { version: '1.0' } }, crm: { 'addon.ts': '' } });
    const outside = addonFolder({ sale: { manifest: { version: '2.0' } } });
    mkdirSync(join(outside, 'not_an_addon'));
    const catalogue = await discoverAddons([
      { folder: shipped, isShipped: true },
      { folder: outside, isShipped: false },
    ]);
    expect([...catalogue.keys()]).toEqual(['crm', 'sale']);
    expect(catalogue.get('sale')).toMatchObject({ isShipped: false, hasCode: false, manifest: { version: '2.0' } });
    expect(catalogue.get('crm')).toMatchObject({ isShipped: true, hasCode: true });
  });
  it('MOD-2 names the line of broken JSON, and a root that is not there', async () => {
    const root = addonFolder({ sale: {} });
    writeFileSync(join(root, 'sale/manifest.json'), '{\n  "name": "sale",\n  oops\n}');
    await expect(discoverAddons([{ folder: root, isShipped: false }])).rejects.toThrow(
      /^sale: .*sale\/manifest\.json:3: The manifest is not valid JSON\.$/,
    );
    await expect(discoverAddons([{ folder: `${root}/nowhere`, isShipped: false }])).rejects.toThrow(/nowhere.*ENOENT/);
  });
});

describe('dependency order', () => {
  it('MOD-3 puts dependencies first and never depends on who asks', () => {
    const catalogue = catalogueOf({ base: [], zoo: [], sale: ['product', 'mail'], product: [], mail: [], alone: [] });
    expect(dependencyOrder(catalogue, ['sale'])).toEqual(['base', 'mail', 'product', 'sale']);
    expect(dependencyOrder(catalogue, ['zoo', 'sale'])).toEqual(['base', 'mail', 'product', 'zoo', 'sale']);
    expect(dependencyOrder(catalogue, ['sale', 'alone', 'zoo'])).toEqual([
      'base',
      'alone',
      'mail',
      'product',
      'zoo',
      'sale',
    ]);
  });
  it('MOD-4 refuses a circle and shows it', () => {
    const catalogue = catalogueOf({ a: ['b'], b: ['c'], c: ['b'] });
    expect(() => dependencyOrder(catalogue, ['a'])).toThrow('in a circle: b → c → b.');
    expect(() => dependencyOrder(catalogueOf({ a: ['a'] }), ['a'])).toThrow('a → a.');
  });
  it('MOD-4 refuses an unknown dependency and shows the chain and the nearest name', () => {
    const catalogue = catalogueOf({ shop: ['sale'], sale: ['prodct'], product: [] });
    expect(() => dependencyOrder(catalogue, ['shop'])).toThrow(
      'sale: manifest.json: Depends on "prodct", which is not there (shop → sale → prodct). Did you mean "product"?',
    );
    expect(() => dependencyOrder(catalogue, ['slae'])).toThrow('There is no addon "slae". Did you mean "sale"?');
  });
});

describe('install plan', () => {
  const catalogue = catalogueOf({
    base: { required: true },
    crm: [],
    sale: [],
    crm_sale: { depends: ['crm', 'sale'], auto_install: true },
    crm_sale_more: { depends: ['crm_sale'], auto_install: true },
    other: [],
  });

  it('MOD-5 adds what is required and leaves what is there', () => {
    expect(planInstall(catalogue, new Set(), ['crm']).install).toEqual(['base', 'crm']);
    expect(planInstall(catalogue, new Set(['base']), ['crm'])).toEqual({ install: ['crm'], modules: ['base', 'crm'] });
  });
  it('MOD-6 auto_install follows once all dependencies are there, again and again', () => {
    const { install } = planInstall(catalogue, new Set(['base', 'crm']), ['sale']);
    expect(install).toEqual(['sale', 'crm_sale', 'crm_sale_more']);
  });
  it('MOD-6 what somebody uninstalled does not come back with another module', () => {
    expect(planInstall(catalogue, new Set(['base', 'crm', 'sale']), ['other']).install).toEqual(['other']);
  });
});
