import type { Actor } from '@kontor/orm';
import type { Arch } from '@kontor/protocol';
import { countStatements, createTestKernel, type TestKernel } from '@kontor/testing';
import { buildBootstrap, buildWorkspace, readWorkspaceQuery } from '@kontor/workspace';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { interfaceIn } from '../interface/load-interface.ts';

let world: TestKernel;
let german: Actor;
let austrian: Actor;
let french: Actor;
beforeAll(async () => {
  world = await createTestKernel({ modules: ['crm', 'sale'] });
  const groups = ['sale.group_manager', 'crm.group_manager'];
  german = await world.person('Greta German', groups, { lang: 'de_DE' });
  austrian = await world.person('Anna Austrian', groups, { lang: 'de_AT' });
  french = await world.person('Fanny French', groups, { lang: 'fr_FR' });
});
afterAll(() => world.close());

const open = (actor: Actor, query: string) =>
  buildWorkspace(
    world.kernel,
    { actor, csrf: 'token', lastWrite: null },
    readWorkspaceQuery(Object.fromEntries(new URLSearchParams(query))),
  );
const labelOf = ({ fields }: Arch, name: string) => fields.find((field) => field.name === name)?.label;

describe('labels', () => {
  it('TRL-4 of a workspace are in the language of whoever opens it', async () => {
    const form = 'model=sale.order&view_type=form';
    const [english, deutsch, francais] = await Promise.all([
      open(world.admin, form),
      open(german, form),
      open(french, form),
    ]);
    expect([english, deutsch, francais].map(({ arch }) => labelOf(arch, 'partner_id'))).toEqual([
      'Customer',
      'Kunde',
      'Client',
    ]);
    expect(deutsch.arch.label).toBe('Auftrag');
    expect(deutsch.arch.header.buttons.map(({ label }) => label)).toContain('Bestätigen');
    expect(english.arch.header.buttons.map(({ label }) => label)).toContain('Confirm');
    const states = deutsch.arch.fields.find(({ name }) => name === 'state')?.selection;
    expect(states).toContainEqual(['draft', 'Angebot']);
    expect(JSON.stringify(deutsch.arch.form)).toContain('Zeilen');
    expect(JSON.stringify(deutsch.arch.form)).not.toContain('"Lines"');
  });

  it('TRL-3 are those of the module that wrote them', async () => {
    const { arch } = await open(german, 'model=sale.order&view_type=form');
    expect(arch.header.buttons.find(({ name }) => name === 'action_cancel')?.label).toBe('Angebot stornieren');
  });

  it('TRL-2 of Austria are those of Germany', async () => {
    const { arch } = await open(austrian, 'model=sale.order&view_type=list');
    expect(labelOf(arch, 'partner_id')).toBe('Kunde');
    expect(world.kernel.loaded.registryIn('de_AT')).toBe(world.kernel.loaded.registryIn('de_DE'));
    expect(world.kernel.loaded.registryIn('en_GB')).toBe(world.kernel.registry);
  });

  it('TRL-4 of menus and apps are in the language of the person', async () => {
    const boot = (actor: Actor) =>
      buildBootstrap(world.kernel, { actor, csrf: 'token', lastWrite: null }, { toasts: [] });
    const [english, deutsch] = await Promise.all([boot(world.admin), boot(german)]);
    expect(english.topMenus.map(({ name }) => name)).toContain('Sales');
    expect(deutsch.topMenus.map(({ name }) => name)).toContain('Verkauf');
    expect(deutsch.apps.find(({ module }) => module === 'sale')?.name).toBe('Verkauf');
    expect([deutsch.lang, english.messages]).toEqual(['de_DE', {}]);
  });

  it('TRL-4 cost no statement, however many languages there are', async () => {
    const list = 'model=sale.order&view_type=list';
    await Promise.all([open(world.admin, list), open(german, list)]);
    const needed = await countStatements(() => open(world.admin, list));
    expect(needed).toBeGreaterThan(0);
    expect(await countStatements(() => open(german, list))).toBe(needed);
  });

  it('TRL-4 that somebody changed stay as they are', async () => {
    const id = await world.work((env) => env.ref('sale.menu_sale'));
    await world.work((env) => env.model('sys.menu').write([id], { name: 'Our sales' }));
    const { menus } = await interfaceIn(world.kernel, 'de_DE');
    expect(menus.find((menu) => menu.id === id)?.name).toBe('Our sales');
    await world.work((env) => env.model('sys.menu').write([id], { name: 'Sales' }));
  });
});

describe('messages', () => {
  it('TRL-5 of constraints and required fields name the field as the person knows it', async () => {
    const told = async (actor: Actor) =>
      world
        .work((env) => env.model('sale.order').create({ partner_id: null }), actor)
        .then(
          () => null,
          (error: Error) => error.message,
        );
    expect(await told(german)).toMatch(/^Kunde: /);
    expect(await told(world.admin)).toMatch(/^Customer: /);
  });
});
