import type { KeyScope } from '@kontor/kernel';
import { createApiKey, type HeldChanges } from '@kontor/parts';
import type { ProposalDecision, ShownProposal } from '@kontor/protocol';
import { long } from '@kontor/testing/long';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser } from './browser.ts';
import { stage } from './import/upload-csv.ts';
import { startTestServer, type TestServer, type TestUser } from './test-server.ts';

const partners = 'core.partner';
const changing: HeldChanges = { '*': ['create', 'write', 'unlink', 'call'] };
let world: TestServer;
let vera: TestUser;
beforeAll(async () => {
  world = await startTestServer({ modules: ['crm', 'sale'] });
  vera = await world.user('Vera Lind', ['base.group_user', 'crm.group_manager', 'sale.group_manager']);
});
afterAll(() => world.close());

interface KeyOptions {
  readonly userId?: number;
  readonly held?: HeldChanges | null;
  readonly scope?: KeyScope | null;
  readonly approverId?: number;
}
const agentKey = async (name: string, options: KeyOptions = {}) => {
  const { userId = vera.id, held = null, scope = null, approverId = null } = options;
  const key = { userId, name, expiresAt: null, scope, agent: { name, held, approverId } };
  return Browser.withKey(world.url, (await world.work((env) => createApiKey(env, key))).secret);
};
const lead = (values: object = {}) => vera.browser.rpc<number>('crm.lead', 'create', [{ name: 'A lead', ...values }]);
const leadNow = async (id: number, ...fields: string[]) =>
  (await vera.browser.rpc<Record<string, unknown>[]>('crm.lead', 'search_read', [[['id', '=', id]], fields]))[0];
const shown = async (browser = vera.browser) => {
  const response = await browser.get('/web/proposals', { accept: 'application/json' });
  return ((await response.json()) as { result: { proposals: ShownProposal[] } }).result.proposals;
};
const waitingOf = async (agent: string) =>
  (await shown()).filter((each) => each.agent === agent && each.state === 'waiting');
const decide = async (
  decision: string,
  proposals: readonly Pick<ShownProposal, 'id' | 'version'>[],
  word = '',
  browser = vera.browser,
) => {
  const seen = proposals.map(({ id, version }) => ({ id, version }));
  const response = await browser.json('/web/proposals/decide', { decision, proposals: seen, word });
  return ((await response.json()) as { result: ProposalDecision[] }).result;
};

describe('what a person approves', () => {
  it('AGT-4 what is approved is what is done: values that come from elsewhere and the records of an action count too', async () => {
    const key = await agentKey('Exact', { held: changing });
    const partner = await vera.browser.rpc<number>(partners, 'create', [{ name: 'Berg', email: 'berg@example.com' }]);
    await key.rpc('crm.lead', 'create', [{ name: 'Follows', partner_id: partner }]);
    await vera.browser.rpc(partners, 'write', [[partner], { email: 'mallory@example.com' }]);
    const [made] = await waitingOf('Exact');
    expect(await decide('approve', [made as ShownProposal])).toMatchObject([{ state: 'waiting' }]);
    const [again] = await waitingOf('Exact');
    expect(again?.records[0]?.fields).toContainEqual(expect.objectContaining({ new: 'mallory@example.com' }));
    expect(await decide('approve', [again as ShownProposal])).toMatchObject([{ state: 'done' }]);
    const id = await lead({ name: 'To be won', type: 'opportunity', expected_revenue: 10 });
    await key.rpc('crm.lead', 'call', [id, 'action_win']);
    await vera.browser.rpc('crm.lead', 'write', [[id], { expected_revenue: 10_000 }]);
    const [won] = await waitingOf('Exact');
    expect(await decide('approve', [won as ShownProposal])).toMatchObject([{ state: 'waiting' }]);
    const [now] = await waitingOf('Exact');
    expect(await decide('approve', [now as ShownProposal])).toMatchObject([{ state: 'done' }]);
    expect(await leadNow(id, 'state')).toMatchObject({ state: 'won' });
  });

  long(
    'AGT-4 who approves sees the answers, the recipients, the subject and the text, and is told which of them changed',
    async () => {
      // Nothing is sent from here: only the queue is looked at.
      await world.work((env) =>
        env.sudo().model('sys.mail.server').create({ host: '127.0.0.1', port: 9, sender: 'us@example.com' }),
      );
      const key = await agentKey('Writer', { held: changing });
      const partner = await vera.browser.rpc<number>(partners, 'create', [{ name: 'Ada', email: 'ada@example.com' }]);
      const id = await vera.browser.rpc<number>('sale.order', 'create', [
        { partner_id: partner, line_ids: [['create', { name: 'Advice', quantity: 1, price_unit: 50 }]] },
      ]);
      const subject = 'As we said';
      const long = `Dear Ada, ${'so it is. '.repeat(200)}The end.`;
      const args = [id, 'action_send', { recipient: 'eve@example.com', subject, body: long }];
      expect((await key.call({ model: 'sale.order', method: 'call', args, kwargs: {} })).status).toBe(202);
      const [seen] = await waitingOf('Writer');
      expect(seen?.answers.find(({ name }) => name === 'recipient')).toMatchObject({ new: 'eve@example.com' });
      expect(seen?.said.find(({ kind }) => kind === 'mail')).toMatchObject({
        to: ['eve@example.com'],
        answersTo: vera.login,
        subject,
      });
      expect(seen?.said.find(({ kind }) => kind === 'message')?.body).toContain('eve@example.com');
      expect(seen?.isCut).toBe(true);
      const response = await vera.browser.get(`/web/proposals?whole=${seen?.id}`, { accept: 'application/json' });
      const [whole] = ((await response.json()) as { result: { proposals: ShownProposal[] } }).result.proposals;
      expect(whole).toMatchObject({ id: seen?.id, isCut: false });
      expect(whole?.said.find(({ kind }) => kind === 'mail')?.body).toContain('The end.');
      // The link to the customer's page is another one each time.
      expect(whole?.said.find(({ kind }) => kind === 'mail')?.body).toContain('/portal/');
      const mails = () =>
        world.work((env) =>
          env
            .sudo()
            .model('mail.queue')
            .count([['recipient', '=', 'eve@example.com']]),
        );

      // Another subject, as if the template had been changed since.
      const { result } = await world
        .work((env) =>
          env
            .sudo()
            .model('sys.proposal')
            .searchRead([['id', '=', Number(seen?.id)]], ['basis']),
        )
        .then(([row]) => ({ result: JSON.parse(String(row?.basis)) as { said: { subject: string }[] } }));
      const other = { ...result, said: result.said.map((one) => ({ ...one, subject: one.subject && 'Another' })) };
      await world.work((env) =>
        env
          .sudo()
          .model('sys.proposal')
          .write([Number(seen?.id)], { basis: JSON.stringify(other) }),
      );
      const [late] = await decide('approve', [seen as ShownProposal]);
      expect(late).toMatchObject({
        state: 'waiting',
        problem: expect.stringMatching(/^Subject changed in the meantime/),
      });
      expect(await mails()).toBe(0);
      const [again] = await waitingOf('Writer');
      expect(await decide('approve', [again as ShownProposal])).toMatchObject([{ state: 'done' }]);
      expect(await mails()).toBe(1);
    },
  );

  it('AGT-5 a move is held as the action is: by a value, by a new record and by an undo', async () => {
    const key = await agentKey('Mover');
    const id = await lead({ type: 'opportunity' });
    const [stage] = await vera.browser.rpc<{ id: number }[]>('crm.stage', 'search_read', [[['is_won', '=', true]], []]);
    const { headers } = await key.call({ model: 'crm.lead', method: 'call', args: [id, 'action_win'], kwargs: {} });
    const own = Number(headers.get('x-change-set'));
    const closed = await lead({ type: 'opportunity' });
    const [mine] = await vera.browser.rpc<{ id: number }[]>('core.user.apikey', 'search_read', [
      [['agent', '=', 'Mover']],
      [],
    ]);
    const held = { 'crm.lead': ['call'] };
    await world.work((env) =>
      env
        .sudo()
        .model('core.user.apikey')
        .write([mine?.id as number], { held }),
    );
    for (const [model, method, args] of [
      ['crm.lead', 'write', [[closed], { stage_id: stage?.id }]],
      ['crm.lead', 'write', [[closed], { active: false }]],
      ['crm.lead', 'create', [{ name: 'Won at once', type: 'opportunity', stage_id: stage?.id }]],
      ['sys.change.set', 'call', [own, 'action_revert']],
    ] as const) {
      expect([args, (await key.call({ model, method, args, kwargs: {} })).status]).toEqual([args, 202]);
    }
    expect(await leadNow(closed, 'state', 'active')).toMatchObject({ state: 'open', active: true });
    expect(await leadNow(id, 'state')).toMatchObject({ state: 'won' });
  });

  it('AGT-5 an import that creates records is held where creating them is, and done when it is approved', async () => {
    const key = await agentKey('Importer', { held: { [partners]: ['create'] } });
    const batch = await stage(vera.browser, 'name\nFrom a file\n', { model: partners });
    const confirm = {
      model: 'sys.bulk.import',
      method: 'call',
      args: [batch, 'action_confirm_import', {}],
      kwargs: {},
    };
    expect(await key.call(confirm)).toMatchObject({ status: 202, error: null });
    const made = () => vera.browser.rpc(partners, 'search_read', [[['name', '=', 'From a file']], ['name']]);
    expect(await made()).toEqual([]);
    expect(await vera.browser.rpc('sys.bulk.import', 'read', [[batch], ['state']])).toMatchObject([{ state: 'draft' }]);
    const waiting = await waitingOf('Importer');
    expect(waiting).toHaveLength(1);
    expect(await decide('approve', waiting)).toMatchObject([{ state: 'done' }]);
    expect(await made()).toHaveLength(1);
  });
});
