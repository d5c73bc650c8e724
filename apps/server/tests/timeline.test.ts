import { addDays, fromLocal, type TimelinePage } from '@kontor/protocol';
import { noon, statementsOfRequest } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer, type TestUser } from './test-server.ts';

let world: TestServer;
let tom: TestUser;
let clerk: TestUser;
let company: number;
let person: number;
const { tz, today } = noon();
const moment = (days: number, time = '08:00') =>
  new Date(fromLocal(Date.parse(`${addDays(today, days)}T${time}:00Z`), tz)).toISOString();

const make = (model: string, values: object) => world.work((env) => env.model(model).create({ ...values }));
const system = (model: string, values: object) =>
  world.work((env) =>
    env
      .sudo()
      .model(model)
      .create({ ...values }),
  );
const order = (days: number, values: object = {}) =>
  make('sale.order', { partner_id: company, user_id: tom.id, date_order: moment(days), ...values });
const meeting = (name: string, days: number, values: object = {}) =>
  make('calendar.event', {
    ...{ name, start: moment(days), stop: moment(days, '09:00'), partner_ids: [['set', [person]]] },
    ...values,
  });

/** An activity that was done, about any record. */
async function done(type: string, name: string, about: readonly [string, number]): Promise<number> {
  const [model, res_id] = about;
  const type_id = await world.work((env) => env.ref(`mail.type_${type}`));
  const id = await make('mail.activity', { name, model, res_id, user_id: tom.id, due_date: today, type_id });
  await world.work((env) => env.model('mail.activity').call([id], 'done'));
  return id;
}

async function read(id: number, query: object = {}, who = tom): Promise<TimelinePage> {
  const asked = new URLSearchParams({ model: 'core.partner', id: String(id), ...query } as Record<string, string>);
  const answer = await who.browser.get(`/web/wc/timeline?${asked}`);
  const { result, error } = (await answer.json()) as { result: TimelinePage; error: unknown };
  expect(error).toBe(null);
  return result;
}
const titles = ({ items }: TimelinePage) => items.map(({ title }) => title);
const counts = ({ kinds = [] }: TimelinePage) => Object.fromEntries(kinds.map(({ kind, count }) => [kind, count]));

beforeAll(async () => {
  world = await startTestServer({ modules: ['sale', 'project', 'crm', 'calendar'] });
  const groups = ['base.group_user', 'sale.group_user', 'project.group_user', 'crm.group_user'];
  tom = await world.user('Tom', groups, { tz });
  clerk = await world.user('Cleo', ['base.group_user'], { tz });
  company = await make('core.partner', { name: 'Norrland', is_company: true });
  person = await make('core.partner', { name: 'Astrid', parent_id: company });
});
afterAll(() => world.close());

describe('the timeline of a contact', () => {
  it('CON-9 has what belongs to it in all apps, by kind, and the company what belongs to its people', async () => {
    const quotation = await order(-3);
    const sold = await order(-10, { partner_id: person });
    const line = { name: 'Stool', quantity: 1, price_unit: 10 };
    await world.work((env) => env.model('sale.order').write([sold], { line_ids: [['create', line]] }));
    await world.work((env) => env.model('sale.order').call([sold], 'confirm'));
    await system('sale.order.sent', {
      ...{ order_id: quotation, version: 1, sent_at: moment(-2), recipient: 'a@norrland.example' },
      ...{ subject: 'Your quotation', amount_total: 10, name: 'S1.pdf', user_id: tom.id },
    });
    await meeting('Walk-through', -1);
    await meeting('Opening', 4);
    const project = await make('project.project', { name: 'Fit-out', partner_id: company, user_id: tom.id });
    await make('project.task', { name: 'Measure the wall', project_id: project });
    const lead = await make('crm.lead', { name: 'Showroom', partner_id: person, user_id: tom.id });
    await done('call', 'Call Astrid', ['core.partner', person]);
    await done('mail', 'Write about the lamps', ['crm.lead', lead]);
    await done('todo', 'Print the plan', ['sale.order', quotation]);
    await tom.browser.json('/web/chatter/post', {
      ...{ model: 'crm.lead', id: lead, body: 'The plan' },
      files: [{ name: 'plan.pdf', type: 'application/pdf', data: Buffer.from('%PDF-1.4').toString('base64') }],
    });

    const email = { model: 'crm.lead', res_id: lead, kind: 'email', date: moment(-1, '12:00') };
    await system('mail.message', { ...email, subject: 'Lamps', sender_name: 'Astrid', mark: 'message' });
    await system('mail.message', { ...email, subject: 'I am away', sender_name: 'Astrid', mark: 'auto' });
    const page = await read(company);
    expect(counts(page)).toEqual({
      ...{ quotations: 1, orders: 1, emails: 3, meetings: 2, tasks: 2 },
      ...{ opportunities: 1, calls: 1, files: 1 },
    });
    expect(page.next).toBe(null);
    expect(page.items.map(({ kind }) => kind).sort()).toEqual(
      [
        'calls',
        'emails',
        'emails',
        'emails',
        'files',
        'meetings',
        'opportunities',
        'orders',
        'quotations',
        'tasks',
        'tasks',
      ].sort(),
    );
    const moments = page.items.map(({ at, date }) => Date.parse(at ?? date));
    expect(moments).toEqual([...moments].sort((a, b) => b - a));
    expect(page.items.find(({ kind }) => kind === 'quotations')).toMatchObject({
      ...{ model: 'sale.order', id: quotation, icon: 'file-text', date: addDays(today, -3) },
      href: `/web?model=sale.order&view_type=form&id=${quotation}`,
    });
    expect(page.items.find(({ title }) => title === 'Your quotation')).toMatchObject({
      href: `/web?model=sale.order&view_type=form&id=${quotation}`,
      about: ['Tom', 'a@norrland.example', expect.stringMatching(/^S/)],
    });
    expect(page.items.find(({ title }) => title === 'Write about the lamps')?.href).toContain(`id=${lead}`);
    expect(page.items.find(({ title }) => title === 'Lamps')).toMatchObject({
      ...{ kind: 'emails', about: ['Astrid'], href: `/web?model=crm.lead&view_type=form&id=${lead}` },
    });
    expect(titles(await read(company, { upcoming: '1' }))).toEqual(['Opening']);
    expect(titles(await read(company, { kinds: 'calls,meetings' }))).toEqual(['Call Astrid', 'Walk-through']);
    // The person has what is theirs, and nothing of the company.
    expect(counts(await read(person))).toEqual({
      ...{ orders: 1, emails: 2, meetings: 2, opportunities: 1, calls: 1, files: 1 },
    });
  });

  it('CON-10 neither shows nor counts what the reader may not read', async () => {
    const before = counts(await read(company));
    const other = await make('core.company', {
      name: 'Südlicht',
      currency_id: await world.work((env) => env.ref('base.EUR')),
    });
    const hidden = await system('sale.order', { partner_id: company, company_id: other, date_order: moment(-1) });
    await system('mail.activity', {
      ...{ name: 'Secret call', model: 'sale.order', res_id: hidden, user_id: tom.id, due_date: today },
      ...{ done: true, done_at: moment(-1), type_id: await world.work((env) => env.ref('mail.type_call')) },
    });
    await meeting('Private talk', -1, { privacy: 'people' });
    const after = await read(company);
    expect(counts(after)).toEqual(before);
    expect(titles(after)).not.toContain('Private talk');
    expect(titles(after)).not.toContain('Secret call');
    // Who has no app sees what is about the contact, and nothing about records that they may not read.
    const theirs = await read(company, {}, clerk);
    expect(titles(theirs)).toContain('Call Astrid');
    expect(titles(theirs)).not.toContain('Write about the lamps');
    expect(counts(theirs)).not.toHaveProperty('orders');
    const secret = await make('core.partner', { name: 'Hidden', is_private: true });
    const answer = await clerk.browser.get(`/web/wc/timeline?model=core.partner&id=${secret}`);
    expect([403, 404]).toContain(answer.status);
  });

  it.each([
    ['model=core.country&id=1', 404, undefined],
    ['model=no.model&id=1', 404, undefined],
    ['model=core.partner', 400, 'id'],
    ['model=core.partner&id=1&after=x', 400, 'after'],
    ['model=core.partner&id=1&after=999999999999999,1,orders', 400, 'after'],
    ['model=core.partner&id=1&limit=-1', 400, 'limit'],
  ])('CON-10 rejects %s', async (query, status, field) => {
    const answer = await tom.browser.get(`/web/wc/timeline?${query}`);
    const { error } = (await answer.json()) as { error: { details: { field?: string } } };
    expect([answer.status, error.details.field]).toEqual([status, field]);
  });

  it('CON-11 joins pages without gaps or repetitions, at a cost that does not grow', async () => {
    const crowd = await make('core.partner', { name: 'Crowd', is_company: true });
    const cost = () => statementsOfRequest(world.kernel.database, () => read(crowd));
    await order(-5, { partner_id: crowd });
    const few = await cost();
    for (let n = 0; n < 7; n++) {
      await order(-5, { partner_id: crowd });
      await meeting(`Talk ${n}`, n % 2 === 0 ? -5 : -6, { partner_ids: [['set', [crowd]]] });
    }
    const project = await make('project.project', { name: 'Many', partner_id: crowd, user_id: tom.id });
    for (let n = 0; n < 5; n++) await make('project.task', { name: `Task ${n}`, project_id: project });
    expect(await cost()).toBe(few);
    expect(few).toBeLessThanOrEqual(36);
    const whole = titles(await read(crowd, { limit: '50' }));
    expect(whole).toHaveLength(20);
    const joined: string[] = [];
    for (let after: string | null = ''; after !== null; ) {
      const page: TimelinePage = await read(crowd, { limit: '3', after });
      expect(page.items.length).toBeLessThanOrEqual(3);
      joined.push(...titles(page));
      after = page.next;
    }
    expect(joined).toEqual(whole);
  });
});
