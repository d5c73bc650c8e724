import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Desk, openDesk } from './desk.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'ok',
    (error: { code: string; details: { fields?: Record<string, string[]> } }) =>
      `${error.code} ${JSON.stringify(error.details.fields)}`,
  );
const list = (columns: string, model = 'desk.tag') =>
  `<list id="own" model="${model}">${columns.replaceAll(/\w+/g, '<field name="$&"/>')}</list>`;
const createView = (values: object) =>
  desk.work((env) =>
    env.model('sys.view').create({ name: 'Own', model: 'desk.tag', type: 'list', arch: list('name'), ...values }),
  );

it('WSP-25 a view that does not hold together is refused with the nearest name', async () => {
  expect(await refusal(createView({ arch: list('nam') }))).toMatch(/^VALIDATION_ERROR.*arch.*nam.*name/);
  expect(await refusal(createView({ arch: '<list' }))).toMatch(/^VALIDATION_ERROR.*arch/);
  expect(await refusal(createView({ arch: '<list id="own" model="desk.tag"><flower/></list>' }))).toMatch(/flower/);
  expect(await refusal(createView({ arch: '<form id="own" model="desk.tag"/>' }))).toMatch(/begins with <list>/);
  expect(await refusal(createView({ arch: list('name', 'desk.stage') }))).toMatch(/desk.stage/);
  const [first] = await desk.work((env) =>
    env.model('sys.view').searchRead([['key', '=', 'desk.ticket_list']], ['arch']),
  );
  const broken = desk.work((env) =>
    env.model('sys.view').write([first?.id as number], { arch: list('nothing', 'desk.ticket') }),
  );
  expect(await refusal(broken)).toMatch(/^VALIDATION_ERROR.*arch/);
  expect((await desk.open('action=desk.tickets')).arch.list?.columns.map(({ name }) => name)).toContain('kind');
});

it('WSP-25 a view that does is shown at once', async () => {
  expect((await desk.open('model=desk.stage')).arch.list?.columns.map(({ name }) => name)).not.toEqual(['fold']);
  await createView({ model: 'desk.stage', arch: list('fold', 'desk.stage') });
  expect((await desk.open('model=desk.stage')).arch.list?.columns.map(({ name }) => name)).toEqual(['fold']);
  const parent = (await desk.work((env) => env.model('sys.view').search([['key', '=', 'desk.ticket_list']])))[0];
  await createView({
    ...{ model: 'desk.ticket', inherit_id: parent, name: 'More' },
    arch: `<inherit view="desk.ticket_list"><xpath expr="//field[@name='kind']" position="after"><field name="start_at"/></xpath></inherit>`,
  });
  expect((await desk.open('action=desk.tickets')).arch.list?.columns.map(({ name }) => name)).toContain('start_at');
});

it('WSP-25 a view that another was written for neither goes nor is archived before it', async () => {
  const [parent] = await desk.work((env) => env.model('sys.view').search([['key', '=', 'desk.ticket_list']]));
  const more = (after: string, name: string) =>
    createView({
      ...{ model: 'desk.ticket', inherit_id: parent, name, priority: name === 'First' ? 20 : 30 },
      arch: `<inherit view="desk.ticket_list"><xpath expr="//field[@name='${after}']" position="after"><field name="${name === 'First' ? 'id' : 'create_date'}"/></xpath></inherit>`,
    });
  const first = await more('kind', 'First');
  const second = await more('id', 'Second');
  const remove = (...ids: readonly number[]) => desk.work((env) => env.model('sys.view').unlink(ids));
  const archive = desk.work((env) => env.model('sys.view').write([first], { active: false }));
  expect(await refusal(archive)).toMatch(/^USER_ERROR/);
  expect(await refusal(remove(first))).toMatch(/^USER_ERROR/);
  expect(await refusal(remove(second, first))).toBe('ok');
});

it('WSP-25 so is an action', async () => {
  const create = (values: object) =>
    desk.work((env) =>
      env.model('sys.action.window').create({ name: 'Own', model: 'desk.ticket', view_mode: 'list,form', ...values }),
    );
  expect(await refusal(create({ model: 'desk.tickets' }))).toMatch(/^VALIDATION_ERROR.*model/);
  expect(await refusal(create({ view_mode: 'list,flower' }))).toMatch(/^VALIDATION_ERROR.*view_mode/);
  expect(await refusal(create({ domain: [['nothing', '=', 1]] }))).toMatch(/^VALIDATION_ERROR.*domain/);
  expect(await refusal(create({ domain: '[["kind", "=", "bug"]]' }))).toMatch(/^VALIDATION_ERROR.*domain.*not a text/);
  expect(await refusal(create({ context: '{"default_kind": "bug"}' }))).toMatch(
    /^VALIDATION_ERROR.*context.*not a text/,
  );
  expect(await refusal(create({ context: [1] }))).toMatch(/^VALIDATION_ERROR.*context/);
  expect(await refusal(create({ order: 'nothing' }))).toMatch(/^VALIDATION_ERROR.*order/);
  const id = await create({ domain: [['kind', '=', 'bug']], order: '-name' });
  expect((await desk.open(`action=${id}`)).arch.key).toBe(String(id));
});
