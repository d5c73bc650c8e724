import { createTestDatabase, isLong, preparedDatabase, type TestDatabase, testAdmin } from '@kontor/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Browser, Envelope } from './browser.ts';
import { type BuiltServer, startBuiltServer } from './built-server.ts';

let data: TestDatabase;
let one: BuiltServer;
let two: BuiltServer;
beforeAll(async () => {
  data = await createTestDatabase({ template: await preparedDatabase({ modules: ['crm'] }) });
  const env = { KONTOR_CRON_ENABLED: 'false' };
  [one, two] = await Promise.all([startBuiltServer({ dsn: data.dsn, env }), startBuiltServer({ dsn: data.dsn, env })]);
});
afterAll(async () => {
  await Promise.all([one?.stop(), two?.stop()]);
  await data?.drop();
});

const signIn = async (server: BuiltServer): Promise<Browser> => {
  const browser = server.browser();
  await browser.signIn(testAdmin.email, testAdmin.password);
  return browser;
};

const state = { type: 'selection', label: 'State', default: 'free' };
const choices = ['free', 'out', 'sold'].map((value) => ({ value, label: value.toUpperCase() }));
const access = [{ group: 'base.group_system', write: true, create: true, unlink: true }];
const states = {
  ...{ field: 'x_state', initial: ['free'], removable: ['free'] },
  moves: [{ name: 'x_rent', from: ['free'], to: 'out', label: 'Rent out' }],
};
const field = (model: string, name: string, spec: object) => ({
  do: 'add_field',
  model,
  name,
  field: spec,
  inList: true,
});

interface Step {
  readonly what: string;
  readonly changes: readonly object[];
  /** Asked of the other process until it answers with this text, or no longer does. */
  readonly path: string;
  readonly text: string;
  readonly isGone?: boolean;
}
const form = (model: string) => `/web/wc/workspace?model=${model}&view_type=form`;
const allSteps: readonly Step[] = [
  {
    ...{ what: 'a field', path: form('crm.lead'), text: 'x_floor' },
    changes: [field('crm.lead', 'x_floor', { type: 'integer', label: 'Floor', required: true, default: 1 })],
  },
  {
    ...{ what: 'a model', path: '/web/schema/x_machine.json', text: 'x_state' },
    changes: [
      { do: 'add_model', model: 'x_machine', spec: { label: 'Machine', plural: 'Machines', access } },
      field('x_machine', 'x_state', { ...state, choices }),
    ],
  },
  {
    ...{ what: 'states', path: form('x_machine'), text: 'Rent out' },
    changes: [{ do: 'change_states', model: 'x_machine', states }],
  },
  {
    ...{ what: 'a change of a screen', path: form('crm.lead'), text: 'Storey of the site' },
    changes: [
      {
        ...{ do: 'edit_view', view: 'crm.lead_form', model: 'crm.lead' },
        steps: [
          { expr: "//field[@name='x_floor']", position: 'attributes', attributes: { label: 'Storey of the site' } },
        ],
      },
    ],
  },
  {
    ...{ what: 'a retired field', path: form('crm.lead'), text: 'Storey of the site', isGone: true },
    changes: [{ do: 'retire_field', model: 'crm.lead', name: 'x_floor' }],
  },
  {
    ...{ what: 'a deleted field', path: '/web/schema/crm.lead.json', text: 'x_floor', isGone: true },
    changes: [{ do: 'delete_field', model: 'crm.lead', name: 'x_floor' }],
  },
  {
    ...{ what: 'a field that is brought back', path: '/web/schema/crm.lead.json', text: 'x_floor' },
    changes: [{ do: 'restore_field', model: 'crm.lead', name: 'x_floor' }],
  },
  {
    ...{ what: 'a deleted model', path: '/web/openapi.json', text: 'x_machine', isGone: true },
    changes: [{ do: 'delete_model', model: 'x_machine' }],
  },
];
/** `npm test` publishes one of each kind: what is added, what is shown, and what is taken away. */
const shortSteps = new Set(['a field', 'a change of a screen', 'a retired field']);
const steps = isLong ? allSteps : allSteps.filter(({ what }) => shortSteps.has(what));

it('CUS-91 each kind of change reaches another server process, and no request of it fails meanwhile', async () => {
  const author = await signIn(one);
  const users = await Promise.all([signIn(two), signIn(one)]);
  const failures: unknown[] = [];
  let isOver = false;
  let done = 0;
  const call = async (browser: Browser, method: string, ...args: unknown[]) => {
    const { ok, result, error } = await browser.call({ model: 'crm.lead', method, args });
    if (!ok) failures.push([method, error]);
    else done++;
    return result;
  };
  const loads = users.map(async (browser, at) => {
    while (!isOver) {
      const id = await call(browser, 'create', { name: `Load ${at}` });
      await call(browser, 'write', [id], { city: 'Kiel' });
      await call(browser, 'search_read', [['city', '=', 'Kiel']], ['name', 'display_name', 'stage_id']);
      for (const view of ['form', 'list', 'kanban']) {
        const answer = await browser.get(`/web/wc/workspace?model=crm.lead&view_type=${view}`);
        if (answer.status !== 200) failures.push([view, answer.status, await answer.text()]);
        else await answer.arrayBuffer();
      }
    }
  });
  const reader = await signIn(two);
  for (const { what, changes, path, text, isGone = false } of steps) {
    const { result } = (await (await author.get('/web/customise?model=crm.lead')).json()) as {
      result: { base: number; draft: number };
    };
    const body = { do: 'publish', base: result.base, draft: result.draft, changes };
    const answer = await author.json('/web/customise', body, { accept: 'application/json' });
    expect([what, (await answer.json()) as Envelope]).toMatchObject([what, { ok: true }]);
    const isSeen = async () => (await (await reader.get(path)).text()).includes(text) !== isGone;
    await expect.poll(isSeen, { timeout: 120_000, interval: 20, message: what }).toBe(true);
  }
  isOver = true;
  await Promise.all(loads);
  expect(failures).toEqual([]);
  expect(done).toBeGreaterThan(steps.length);
});
