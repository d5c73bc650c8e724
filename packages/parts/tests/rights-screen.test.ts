import type { Actor } from '@kontor/orm';
import { createTestKernel, type TestKernel } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mayPersonRead, rightsScreen } from '../index.ts';

let world: TestKernel;
let lena: Actor;
/** Customises, reads leads, and is no administrator. */
let author: Actor;
let otherCompany: number;
beforeAll(async () => {
  world = await createTestKernel({ modules: ['crm'] });
  lena = await world.person('Lena', ['crm.group_user']);
  author = await world.person('Avery', ['base.group_customise', 'crm.group_manager']);
  otherCompany = await world.work(async (env) => {
    const companies = env.sudo().model('core.company');
    const [own] = await companies.read([world.admin.companyId as number], ['currency_id']);
    return companies.create({ name: 'Elsewhere', currency_id: own?.currency_id });
  });
});
afterAll(() => world.close());

const screen = (asked: { model?: string; user?: number; id?: number }, actor: Actor = world.admin) =>
  rightsScreen(world.kernel, actor, { model: 'crm.lead', user: 0, id: 0, ...asked });
const outcome = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'shown',
    ({ code }: { code: string }) => code,
  );
const lead = (values: object) =>
  world.work((env) =>
    env
      .sudo()
      .model('crm.lead')
      .create({ name: 'A lead', company_id: world.admin.companyId, ...values }),
  );
const rule = (values: object) =>
  world.work((env) =>
    env
      .sudo()
      .model('sys.rule')
      .create({ model: 'crm.lead', ...values }),
  );
const remove = (model: string, id: number) => world.work((env) => env.sudo().model(model).unlink([id]));

describe('CUS-80 the rights on a model', () => {
  it('CUS-80 each group is shown with its rights and where they come from, directly or by an implied group', async () => {
    const { model } = await screen({});
    const of = (name: string) => model?.groups.find((group) => group.name === name);
    const app = world.kernel.catalogue.get('crm')?.manifest.label;
    expect(of('CRM: Salesperson')?.rights).toMatchObject({ read: [{ app, through: '' }], unlink: [] });
    expect(of('CRM: Salesperson')?.impliedBy).toContain('CRM: Manager');
    expect(of('CRM: Team leader')?.rights.read).toContainEqual({ app, through: 'CRM: Salesperson' });
    expect(of('CRM: Team leader')?.rights.unlink).toEqual([{ app, through: '' }]);
    expect(model).toMatchObject({ hiddenGroups: 0, hasCompany: true, whole: null, mayChange: false });
  });

  it('CUS-80 rules have their paths as fields, and are shown to people who may read rules', async () => {
    const id = await rule({ name: 'Germans only', domain: [['partner_id.country_id', '!=', null]] });
    const { model } = await screen({});
    const found = model?.rules?.find((each) => each.id === id);
    expect(found).toMatchObject({ name: 'Germans only', groups: [], app: '', isOff: false });
    expect(model?.paths.find(({ name }) => name === 'partner_id.country_id')?.label).toContain(' › ');
    expect((await screen({}, author)).model?.rules).toBeNull();
    await remove('sys.rule', id);
  });

  it('CUS-80 rights that administrators added are named as such, and those of everybody are a row of their own', async () => {
    const id = await world.work((env) =>
      env.sudo().model('sys.access').create({ name: 'All', model: 'crm.lead', perm_read: true }),
    );
    const { model } = await screen({});
    expect(model?.groups[0]).toMatchObject({ id: null, rights: { read: [{ app: '', through: '' }], write: [] } });
    await remove('sys.access', id);
  });
});

describe('CUS-81 what a person would see', () => {
  it('CUS-81 their groups with what implies them, their rights, rules and moves, and how many records of the reader they see', async () => {
    const own = await lead({ user_id: lena.uid });
    await lead({ user_id: world.admin.uid });
    const { model, person } = await screen({ user: lena.uid, id: own });
    expect(person).toMatchObject({ name: 'Lena', isActive: true, refusal: '' });
    expect(person?.groups.find(({ name }) => name === 'CRM: Salesperson')?.through).toEqual([]);
    expect(person?.groups.some(({ through }) => through.includes('CRM: Salesperson'))).toBe(true);
    expect(person?.rights).toMatchObject({ read: ['CRM: Salesperson'], unlink: [] });
    const bound = model?.rules?.filter(({ id }) => person?.rules?.includes(id)).map(({ name }) => name);
    expect(bound).toEqual(['Salespeople see their own leads, and those that nobody has']);
    const count = (actor: Actor) => world.work((env) => env.model('crm.lead').count([]), actor);
    expect(person?.count).toEqual({ seen: await count(lena), of: await count(world.admin), isCut: false });
    expect(person?.count?.seen).toBeLessThan(person?.count?.of ?? 0);
    expect(person?.record?.rights.map(({ operation, may }) => [operation, may])).toEqual([
      ['read', true],
      ['write', true],
      ['unlink', false],
    ]);
  });

  it('CUS-81 records that the reader does not see are not counted', async () => {
    const before = (await screen({ user: lena.uid })).person?.count;
    await lead({ user_id: lena.uid, company_id: otherCompany });
    expect((await screen({ user: lena.uid })).person?.count).toEqual(before);
  });

  it('CUS-81 somebody who is archived may do nothing', async () => {
    const gone = await world.person('Gone', ['crm.group_user']);
    await world.work((env) => env.model('core.user').write([gone.uid], { active: false }));
    const { person } = await screen({ user: gone.uid });
    expect(person).toMatchObject({ isActive: false, count: null, rights: { read: [] } });
  });
});

describe('CUS-82 why somebody cannot see a record', () => {
  const reasons = async (user: number, id: number, model = 'crm.lead') => {
    const { person } = await screen({ user, id, model });
    const found = person?.record?.rights ?? [];
    const may = await world.work((env) => mayPersonRead(env, user, model, id));
    expect(found.find(({ operation }) => operation === 'read')?.may).toBe(may);
    return Object.fromEntries(found.map((each) => [each.operation, each.reasons.join(' ')]));
  };

  it('CUS-82 a missing right, a rule of everybody, rules of groups, or the company is named', async () => {
    const id = await lead({ user_id: world.admin.uid });
    const olga = await world.person('Olga');
    expect((await reasons(olga.uid, id)).read).toBe('None of their groups may see Lead records.');
    expect(await reasons(lena.uid, id)).toEqual({
      read: 'No rule of their groups includes it: "Salespeople see their own leads, and those that nobody has".',
      write: expect.stringContaining('They may not see it.'),
      unlink: expect.stringContaining('None of their groups may delete Lead records.'),
    });
    const everybody = await rule({ name: 'Nothing called A', domain: [['name', '!=', 'A lead']] });
    const shown = await lead({ name: 'Another', user_id: lena.uid });
    await world.work((env) => env.sudo().model('crm.lead').write([shown], { name: 'B lead' }));
    expect(await reasons(lena.uid, shown)).toMatchObject({ read: '', write: '' });
    const writing = await rule({ name: 'B stays', domain: [['name', '!=', 'B lead']], perm_read: false });
    expect(await reasons(lena.uid, shown)).toMatchObject({
      read: '',
      write: 'The rule "B stays" for everybody excludes it.',
    });
    await remove('sys.rule', everybody);
    await remove('sys.rule', writing);
    const far = await world.person('Farid', ['crm.group_manager'], {
      ...{ company_id: otherCompany, company_ids: [['set', [otherCompany]]] },
    });
    expect((await reasons(far.uid, id)).read).toBe('It belongs to a company that they may not work in.');
  });
});

describe('CUS-83 the screen', () => {
  it('CUS-83 is for people who may customise, of models, people and records that they may read', async () => {
    expect(await outcome(screen({}, lena))).toBe('ACCESS_DENIED');
    expect(await outcome(screen({ model: 'sys.access' }, author))).toBe('MODEL_NOT_FOUND');
    expect(await outcome(screen({ model: 'no.such' }, author))).toBe('MODEL_NOT_FOUND');
    const stranger = await world.person('Stranger', ['crm.group_user'], {
      ...{ company_id: otherCompany, company_ids: [['set', [otherCompany]]] },
    });
    expect(await outcome(screen({ user: stranger.uid }, author))).toBe('NOT_FOUND');
    expect(await outcome(screen({ user: 999_999 }, author))).toBe('NOT_FOUND');
    const far = await lead({ company_id: otherCompany });
    expect(await outcome(screen({ user: lena.uid, id: far }))).toBe('NOT_FOUND');
    expect(await outcome(screen({ user: lena.uid, id: 999_999 }))).toBe('NOT_FOUND');
  });

  it('CUS-83 tells customisers who may not read rules neither rules nor which records they hide', async () => {
    const id = await lead({});
    const { model, person, models } = await screen({ user: lena.uid, id }, author);
    expect(models.map(({ name }) => name)).not.toContain('sys.rule');
    expect(model?.rules).toBeNull();
    expect(model?.paths).toEqual([]);
    expect(person).toMatchObject({ rules: null, count: null, record: null });
    expect(person?.refusal).not.toBe('');
    expect(person?.rights.read).toHaveLength(1);
  });

  it('CUS-83 compares no records by rules that read what the reader may not read', async () => {
    const secret = await rule({ name: 'By key', domain: [['user_id.oidc_subject', '=', null]] });
    const { person } = await screen({ user: lena.uid });
    expect(person).toMatchObject({ count: null, refusal: 'Rules that bind this person read what you may not read.' });
    await remove('sys.rule', secret);
  });
});
