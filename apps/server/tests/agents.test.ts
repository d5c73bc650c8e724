import type { KeyScope } from '@kontor/kernel';
import { createApiKey, type HeldChanges, ownChanges } from '@kontor/parts';
import type { ProposalDecision, ShownProposal } from '@kontor/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser } from './browser.ts';
import { startTestServer, type TestServer, type TestUser } from './test-server.ts';

const partners = 'core.partner';
const changing: HeldChanges = { '*': ['create', 'write', 'unlink', 'call'] };
let world: TestServer;
let admin: Browser;
let vera: TestUser;
beforeAll(async () => {
  world = await startTestServer({ modules: ['crm'] });
  admin = await world.signedIn();
  vera = await world.user('Vera Lind', ['base.group_user', 'crm.group_manager']);
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

describe('the mark of an agent', () => {
  it('AGT-1 every change under the key of an agent says so, in its change set, the audit trail, the history and the chatter', async () => {
    const key = await agentKey('Scout');
    const id = await lead();
    const reply = await key.call({
      ...{ model: 'crm.lead', method: 'write', args: [[id], { user_id: null }] },
      kwargs: { task: 'Sort the leads', reason: 'It is old.' },
    });
    expect(reply.status).toBe(200);
    const set = Number(reply.headers.get('x-change-set'));
    expect(await vera.browser.rpc('sys.change.set', 'read', [[set], ['agent', 'task', 'reason', 'via']])).toEqual([
      {
        id: set,
        agent: 'Scout',
        task: 'Sort the leads',
        reason: 'It is old.',
        via: expect.stringMatching(/^key \d+, agent Scout$/),
      },
    ]);
    // The trail is brought up to date before it is checked.
    await admin.rpc('sys.audit.check', 'create', [{}]);
    const about = [['set_id', '=', set]];
    expect(
      await admin.rpc('sys.audit', 'search_read', [about, ['kind', 'model', 'res_id', 'who', 'via']]),
    ).toMatchObject([
      { kind: 'write', model: 'crm.lead', res_id: id, via: expect.stringMatching(/^key \d+, agent Scout$/) },
    ]);
    const page = await vera.browser.get(`/web/wc/chatter?model=crm.lead&id=${id}`);
    expect(await page.json()).toMatchObject({
      messages: [{ author: { name: 'Vera Lind' }, agent: 'Scout', tracking: [{ field: 'user_id' }] }],
    });
    const actor = await world.kernel.actor(vera.id);
    expect(actor && (await ownChanges(world.kernel, actor))[0]).toMatchObject({
      ...{ agent: 'Scout', task: 'Sort the leads', tips: [set] },
    });
  });

  it('AGT-1 nobody who holds the key takes the mark off, and what is said of a call is bounded', async () => {
    const key = await agentKey('Marked');
    const plain = { model: 'crm.lead', method: 'create', args: [{ name: 'x' }] };
    for (const kwargs of [{ agent: 'somebody' }, { task: 'x'.repeat(121) }, { reason: 7 }, { task: ' ' }]) {
      expect([kwargs, (await key.call({ ...plain, kwargs })).status]).toEqual([kwargs, 400]);
    }
    const own = await vera.browser.rpc<{ id: number }[]>('core.user.apikey', 'search_read', [
      [['agent', '=', 'Marked']],
      [],
    ]);
    for (const browser of [key, vera.browser, admin]) {
      expect(await browser.outcome('core.user.apikey', 'write', [[own[0]?.id], { agent: null }])).toBe(
        '403 ACCESS_DENIED',
      );
      expect(await browser.outcome('core.user.apikey', 'write', [[own[0]?.id], { held: null }])).toBe(
        '403 ACCESS_DENIED',
      );
    }
    expect((await key.get('/web/proposals', { accept: 'application/json' })).status).toBe(401);
    expect((await key.get('/metrics')).status).toBe(403);
  });

  it('AGT-2 no agent changes who may do what, or what runs by itself, whatever its owner may', async () => {
    const key = await agentKey('Climber', { userId: 1 });
    const calls: [string, string, unknown[]][] = [
      ['core.user', 'write', [[vera.id], { name: 'Other' }]],
      ['core.user', 'call', [vera.id, 'action_archive']],
      ['core.group', 'create', [{ name: 'Mine' }]],
      ['sys.rule', 'unlink', [[1]]],
      ['sys.automation', 'create', [{ name: 'x' }]],
      ['sys.config.parameter', 'create', [{ key: 'x', value: 'y' }]],
      ['sys.proposal', 'write', [[1], { state: 'done' }]],
    ];
    for (const [model, method, args] of calls) {
      expect([model, await key.outcome(model, method, args)]).toEqual([model, '403 ACCESS_DENIED']);
      expect([model, await key.outcome(model, method, args, { dry_run: true })]).toEqual([model, '403 ACCESS_DENIED']);
    }
    expect(
      await key.outcome('core.company', 'write', [[1], { user_ids: [['create', { name: 'Back door' }]] }]),
    ).not.toBe('200 OK');
  });
});

describe('held for approval', () => {
  it('AGT-8 another person decides, sees it alone, and it is done in the name of the owner', async () => {
    const kim = await world.user('Kim Berg', ['base.group_user', 'crm.group_manager']);
    const key = await agentKey('Guarded', { held: changing, approverId: kim.id });
    const id = await lead({ name: 'Mine' });
    const held = await key.rpc<{ proposal: number }>('crm.lead', 'write', [[id], { name: 'Theirs' }]);
    expect(await waitingOf('Guarded')).toEqual([]);
    const waiting = (await shown(kim.browser)).filter(({ agent }) => agent === 'Guarded');
    expect(waiting).toMatchObject([{ id: held.proposal, records: [{ name: 'Mine' }] }]);
    expect(await decide('approve', waiting)).toMatchObject([{ state: 'waiting' }]);
    expect(await key.rpc('sys.proposal', 'read', [[held.proposal], ['state']])).toMatchObject([{ state: 'waiting' }]);
    const told = [[['href', '=', '/web/proposals']], ['user_id']];
    expect(await kim.browser.rpc('sys.notification', 'search_read', told)).toHaveLength(1);
    const [done] = await decide('approve', waiting, '', kim.browser);
    expect(done).toMatchObject({ state: 'done' });
    expect(await leadNow(id, 'name', 'write_uid')).toMatchObject({ name: 'Theirs', write_uid: vera.id });
  });

  it('AGT-8 nobody approves what they may not see', async () => {
    const blind = await world.user('Ole Dunkel', ['base.group_user']);
    const key = await agentKey('Unseen', { held: changing, approverId: blind.id });
    const id = await lead({ name: 'Secret lead' });
    await key.rpc('crm.lead', 'write', [[id], { name: 'Other' }]);
    const [proposal] = await shown(blind.browser);
    expect(JSON.stringify(proposal)).not.toContain('Secret lead');
    expect(await decide('approve', [proposal as ShownProposal], '', blind.browser)).toMatchObject([
      { state: 'waiting', problem: 'You may not see all that this would change.' },
    ]);
    expect(await leadNow(id, 'name')).toMatchObject({ name: 'Secret lead' });
  });

  it('AGT-9 what is held is changed later, by model too: by the owner, or by administrators where another decides', async () => {
    const key = await agentKey('Trusted', { held: changing });
    const [{ id: keyId } = { id: 0 }] = await admin.rpc<{ id: number }[]>('core.user.apikey', 'search_read', [
      [['agent', '=', 'Trusted']],
      [],
    ]);
    const change = (browser: Browser, answers: object) =>
      browser.outcome('core.user.apikey', 'call', [keyId, 'action_change_holding', answers]);
    const make = async (model: string) => (await key.call({ model, method: 'create', args: [{ name: 'x' }] })).status;
    expect([await make('crm.lead'), await make(partners)]).toEqual([202, 202]);
    expect(await change(vera.browser, { holding: 'some', models: 'crm.laed' })).toBe('422 VALIDATION_ERROR');
    expect(await change(vera.browser, { holding: 'some', models: 'crm.lead' })).toBe('OK');
    expect([await make('crm.lead'), await make(partners)]).toEqual([202, 200]);
    expect(await change(key, { holding: 'none' })).toBe('403 ACCESS_DENIED');
    expect(await change(vera.browser, { holding: 'all', approver_id: '1' })).toBe('OK');
    expect(await change(vera.browser, { holding: 'none' })).toBe('403 ACCESS_DENIED');
    expect(await change(admin, { holding: 'none' })).toBe('OK');
    expect([await make('crm.lead'), await make(partners)]).toEqual([200, 200]);
  });

  it('AGT-3 a held change is a proposal: nothing happens until the person approves it, and then as the agent asked', async () => {
    const key = await agentKey('Clerk', { held: changing });
    const id = await lead({ name: 'Before' });
    const call = { model: 'crm.lead', method: 'write', args: [[id], { name: 'After' }], kwargs: { reason: 'Typo' } };
    const same = await key.call({ ...call, args: [[id], { name: 'Before' }] });
    expect([same.status, await waitingOf('Clerk')]).toEqual([200, []]);
    const reply = await key.call(call, { 'idempotency-key': 'once' });
    const again = await key.call(call, { 'idempotency-key': 'once' });
    expect(reply).toMatchObject({
      status: 202,
      result: { held: true, state: 'waiting', changes: [{ model: 'crm.lead', id }] },
    });
    expect(again.result).toMatchObject({ proposal: (reply.result as { proposal: number }).proposal });
    expect(reply.headers.get('x-change-set')).toBeNull();
    expect(await leadNow(id, 'name')).toEqual({ id, name: 'Before' });

    const [proposal, ...others] = await waitingOf('Clerk');
    expect(others).toEqual([]);
    expect(proposal).toMatchObject({
      ...{ reason: 'Typo', action: null, isFinal: false },
      records: [{ id, operation: 'write', label: 'Lead', name: 'Before', fields: [{ old: 'Before', new: 'After' }] }],
    });
    const told = await vera.browser.rpc<{ href: string }[]>('sys.notification', 'search_read', [
      [['href', '=', '/web/proposals']],
      ['href'],
    ]);
    expect(told).toHaveLength(1);

    const [done] = await decide('approve', [proposal as ShownProposal]);
    expect(done).toMatchObject({ state: 'done', problem: null });
    expect(await leadNow(id, 'name')).toEqual({ id, name: 'After' });
    expect(
      await vera.browser.rpc('sys.change.set', 'read', [[done?.changeSet], ['agent', 'via', 'user_id']]),
    ).toMatchObject([{ agent: 'Clerk', via: expect.stringMatching(/^agent Clerk, session \d+$/), user_id: vera.id }]);
    expect(await key.rpc('sys.proposal', 'read', [[proposal?.id], ['state', 'change_set']])).toEqual([
      { id: proposal?.id, state: 'done', change_set: done?.changeSet },
    ]);
    expect(await decide('approve', [proposal as ShownProposal])).toMatchObject([
      { state: 'waiting', problem: expect.stringContaining('in the meantime') },
    ]);
  });

  it('AGT-3 several are decided at once, each with its own outcome, and the agent is told the word of a refusal', async () => {
    const key = await agentKey('Batch', { held: changing });
    const ids = [await lead(), await lead(), await lead()];
    for (const id of ids) await key.rpc('crm.lead', 'write', [[id], { name: `Lead ${id}` }]);
    await vera.browser.rpc('crm.lead', 'unlink', [[ids[1]]]);
    const proposals = await waitingOf('Batch');
    const [first, second, third] = await decide('approve', proposals);
    expect([first, second, third]).toMatchObject([
      { state: 'done' },
      { state: 'waiting', problem: expect.any(String) },
      { state: 'done' },
    ]);
    const [left] = await waitingOf('Batch');
    expect(await decide('refuse', [left as ShownProposal], 'It is gone.')).toMatchObject([{ state: 'refused' }]);
    expect(await key.rpc('sys.proposal', 'read', [[left?.id], ['state', 'note']])).toMatchObject([
      { state: 'refused', note: 'It is gone.' },
    ]);
  });

  it('AGT-4 what changed meanwhile is not overwritten: the person sees what it would do now, and decides again', async () => {
    const key = await agentKey('Late', { held: changing });
    const id = await lead({ name: 'First' });
    await key.rpc('crm.lead', 'write', [[id], { name: 'From the agent' }]);
    await vera.browser.rpc('crm.lead', 'write', [[id], { name: 'By hand' }]);
    const [seen] = await waitingOf('Late');
    expect(await decide('approve', [seen as ShownProposal])).toMatchObject([
      { state: 'waiting', problem: expect.any(String) },
    ]);
    expect(await leadNow(id, 'name')).toMatchObject({ name: 'By hand' });
    const [now] = await waitingOf('Late');
    expect(now).toMatchObject({ version: 2, records: [{ fields: [{ old: 'By hand', new: 'From the agent' }] }] });
    expect(await decide('approve', [seen as ShownProposal])).toMatchObject([{ state: 'waiting' }]);
    expect(await decide('approve', [now as ShownProposal])).toMatchObject([{ state: 'done' }]);
    expect(await leadNow(id, 'name')).toMatchObject({ name: 'From the agent' });
  });

  it('AGT-3 only the person of the key sees and decides, under rights and scope as they are then', async () => {
    const key = await agentKey('Narrow', { held: changing, scope: { 'crm.lead': ['create', 'search_read'] } });
    const made = await key.rpc<{ proposal: number }>('crm.lead', 'create', [{ name: 'Proposed lead' }]);
    expect(await key.outcome('crm.lead', 'unlink', [[1]])).toBe('403 ACCESS_DENIED');
    const [proposal] = await waitingOf('Narrow');
    expect(proposal).toMatchObject({
      id: made.proposal,
      records: [{ id: null, operation: 'create', name: 'Proposed lead' }],
    });
    expect((await shown(admin)).filter((each) => each.agent === 'Narrow')).toEqual([]);
    expect(await decide('approve', [proposal as ShownProposal], '', admin)).toMatchObject([{ state: 'waiting' }]);
    expect(await admin.rpc('sys.proposal', 'search_read', [[['agent', '=', 'Narrow']], []])).toEqual([]);
    expect(await vera.browser.outcome('sys.proposal', 'search_read', [[], ['effect']])).toBe('403 ACCESS_DENIED');
    const [own] = await vera.browser.rpc<{ id: number }[]>('core.user.apikey', 'search_read', [
      [['agent', '=', 'Narrow']],
      [],
    ]);
    await vera.browser.rpc('core.user.apikey', 'write', [[own?.id], { active: false }]);
    expect(await decide('approve', [proposal as ShownProposal])).toMatchObject([
      { state: 'waiting', problem: expect.stringContaining('has expired') },
    ]);
    expect(await vera.browser.rpc('crm.lead', 'search_read', [[['name', '=', 'Proposed lead']], []])).toEqual([]);
  });

  it('AGT-5 what is held is held by what a call does, whichever way it does it', async () => {
    const key = await agentKey('Partly', { held: { [partners]: ['create'], 'crm.lead': ['unlink', 'call'] } });
    const id = await lead();
    const company = await vera.browser.rpc<number>(partners, 'create', [{ name: 'Berg', is_company: true }]);
    expect(
      (await key.call({ model: 'crm.lead', method: 'write', args: [[id], { name: 'At once' }], kwargs: {} })).status,
    ).toBe(200);
    for (const [model, method, args] of [
      ['crm.lead', 'unlink_many', [[id]]],
      ['crm.lead', 'call', [id, 'action_archive']],
      [partners, 'create_many', [[{ name: 'New' }]]],
      [partners, 'write', [[company], { child_ids: [['create', { name: 'Inside' }]] }]],
    ] as const) {
      const reply = await key.call({ model, method, args, kwargs: {} });
      expect([method, reply.status, reply.error]).toEqual([method, 202, null]);
    }
    expect(await vera.browser.rpc(partners, 'search_read', [[['name', 'in', ['New', 'Inside']]], []])).toEqual([]);
    const shown = await waitingOf('Partly');
    expect(shown.map(({ action, on }) => [action, ...on])).toEqual([[null], ['Archive', 'At once'], [null], [null]]);
    expect(shown[2]?.records[0]?.fields.map(({ name }) => name)).not.toContain('active');
  });
});

describe('undone in one step', () => {
  it('AGT-6 all changes of a task are taken back together, and done again', async () => {
    const key = await agentKey('Tidy');
    const ids = [await lead({ name: 'One' }), await lead({ name: 'Two' })];
    const kwargs = { task: 'Rename' };
    for (const id of ids) await key.rpc('crm.lead', 'write', [[id], { name: 'Middle' }], kwargs);
    await key.rpc('crm.lead', 'write', [ids, { name: 'Last' }], kwargs);
    const actor = (await world.kernel.actor(vera.id)) as NonNullable<Awaited<ReturnType<typeof world.kernel.actor>>>;
    const entry = async () => (await ownChanges(world.kernel, actor)).find(({ task }) => task === 'Rename');
    const made = await entry();
    expect(made).toMatchObject({
      agent: 'Tidy',
      undoneAt: null,
      tips: [expect.any(Number), expect.any(Number), expect.any(Number)],
    });
    const turn = async (tips: readonly number[] = []) =>
      vera.browser.rpc('sys.change.set', 'call', [0, 'action_revert', { active_ids: tips.join() }]);
    await turn(made?.tips);
    expect([await leadNow(ids[0] ?? 0, 'name'), await leadNow(ids[1] ?? 0, 'name')]).toMatchObject([
      { name: 'One' },
      { name: 'Two' },
    ]);
    const undone = await entry();
    expect(undone).toMatchObject({ undoneAt: expect.any(String), tips: [expect.any(Number)] });
    await turn(undone?.tips);
    expect(await leadNow(ids[0] ?? 0, 'name')).toMatchObject({ name: 'Last' });
  });

  it('AGT-6 nothing of it is taken back where somebody touched a record since, and the refusal names each of them', async () => {
    const key = await agentKey('Touched');
    const ids = [await lead({ name: 'One' }), await lead({ name: 'Two' }), await lead({ name: 'Three' })];
    const sets: string[] = [];
    for (const id of ids) {
      const reply = await key.call({
        model: 'crm.lead',
        method: 'write',
        args: [[id], { name: 'Agent' }],
        kwargs: { task: 'T' },
      });
      sets.push(String(reply.headers.get('x-change-set')));
    }
    for (const id of ids.slice(0, 2)) await admin.rpc('crm.lead', 'write', [[id], { name: 'By hand' }]);
    const { error } = await vera.browser.call({
      ...{ model: 'sys.change.set', method: 'call', args: [0, 'action_revert', { active_ids: sets.join() }] },
    });
    expect(error).toMatchObject({ code: 'CONFLICT', details: { more: false } });
    const records = (error?.details.records ?? []) as readonly { id: number }[];
    const touched = records.map(({ id }) => id);
    expect(touched.sort((a, b) => a - b)).toEqual(ids.slice(0, 2));
    expect(await leadNow(ids[2] ?? 0, 'name')).toMatchObject({ name: 'Agent' });
  });

  it('AGT-6 an agent takes back its own changes, and nobody else’s', async () => {
    const key = await agentKey('Mine', { scope: { 'crm.lead': ['write', 'search_read'] } });
    const id = await lead({ name: 'Kept' });
    const byHand = await vera.browser.call({
      model: 'crm.lead',
      method: 'write',
      args: [[id], { name: 'By Vera' }],
      kwargs: {},
    });
    const set = Number(byHand.headers.get('x-change-set'));
    expect(await key.outcome('sys.change.set', 'call', [set, 'action_revert'])).toBe('422 USER_ERROR');
    const own = await key.call({ model: 'crm.lead', method: 'write', args: [[id], { name: 'By agent' }], kwargs: {} });
    await key.rpc('sys.change.set', 'call', [Number(own.headers.get('x-change-set')), 'action_revert']);
    expect(await leadNow(id, 'name')).toMatchObject({ name: 'By Vera' });
  });
});

describe('what a caller may do', () => {
  it('AGT-7 sys.reach tells models, fields and actions within rights and scope, and nothing else', async () => {
    const key = await agentKey('Reader', {
      scope: { 'crm.lead': { methods: ['search_read', 'write'], fields: ['name', 'priority'] } },
    });
    const rows = await key.rpc<Record<string, unknown>[]>('sys.reach', 'search_read', [
      [],
      ['model', 'can_write', 'can_create', 'fields', 'actions'],
    ]);
    const byName = new Map(rows.map((row) => [row.model, row]));
    expect(byName.has(partners)).toBe(false);
    expect(byName.get('crm.lead')).toMatchObject({ can_write: true, can_create: false });
    const fields = (byName.get('crm.lead')?.fields ?? []) as readonly { name: string }[];
    const names = fields.map(({ name }) => name);
    expect(names.sort()).toEqual(['display_name', 'id', 'name', 'priority']);
    const [whole] = await vera.browser.rpc<{ actions: { name: string }[] }[]>('sys.reach', 'search_read', [
      [['model', '=', 'crm.lead']],
      ['actions'],
    ]);
    expect(whole?.actions.map(({ name }) => name)).toContain('action_archive');
    expect(await vera.browser.outcome('sys.reach', 'search_read', [[['label', '=', 'x']], []])).toBe(
      '400 INVALID_ARGS',
    );
  });
});
