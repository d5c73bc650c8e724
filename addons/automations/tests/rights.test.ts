import { createHmac } from 'node:crypto';
import { sql } from '@kontor/database';
import { systemActor } from '@kontor/kernel';
import { type Actor, typedEnv } from '@kontor/orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { tryRule } from '../running/try-rule.ts';
import { type AutomationWorld, automationWorld } from './automation-world.ts';

let world: AutomationWorld;
beforeAll(async () => {
  world = await automationWorld();
});
afterAll(() => world.close());
beforeEach(() => world.removeRules());

const urgent = { do: 'set', values: { priority: { value: '3' } } };

describe('the rights of its author', () => {
  it.each([
    ['writes a model', { steps: [{ do: 'create', model: 'core.user', values: { name: { value: 'x' } } }] }],
    ['writes a field', { model: 'core.partner', steps: [{ do: 'set', values: { create_uid: { value: 1 } } }] }],
    ['reads a secret', { model: 'core.partner', steps: [{ do: 'note', text: '{user_id.password}' }] }],
    ['sends a secret', { steps: [{ do: 'mail', to: 'me@example.com', subject: '{user_id.password}', body: 'x' }] }],
    ['calculates with a secret', { steps: [{ do: 'set', values: { name: { formula: 'user_id.password' } } }] }],
    ['asks for a secret', { domain: [['user_id.password', '=like', 'a%']], steps: [urgent] }],
    ['watches a secret', { model: 'core.user', trigger: 'change', field: 'password', steps: [] }],
    ['reads another model', { model: 'mail.message', steps: [] }],
  ])('AUT-10 an author who may not do it by themselves cannot have it done: %s', async (_what, values) => {
    await expect(world.rule(values, world.author)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('AUT-10 only customisers write automations, each their own, and an edit by somebody else makes them the author', async () => {
    const salesperson = await world.person('Sid Seller', ['crm.group_user']);
    await expect(world.rule({}, salesperson)).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    const id = await world.rule({ steps: [urgent] }, world.author);
    const other = await world.person('Otto Other', ['base.group_customise', 'crm.group_manager']);
    await expect(world.act((env) => env.model('automation.rule').read([id], ['name']), other)).rejects.toMatchObject({
      code: 'ACCESS_DENIED',
    });
    await world.act((env) => env.model('automation.rule').write([id], { name: 'Renamed' }));
    expect(await world.state(id)).toMatchObject({ author_id: world.author.uid });
    await world.act((env) => env.model('automation.rule').write([id], { steps: [] }));
    expect(await world.state(id)).toMatchObject({ author_id: world.admin.uid });
  });

  it('AUT-10 an external id stands for a record only if the author may see it', async () => {
    const secretly = (company: number | null) =>
      world.work(async (env) => {
        const [currency_id] = await env.model('core.currency').search([], { limit: 1 });
        const company_id = company ?? (await env.model('core.company').create({ name: 'Unseen', currency_id }));
        const id = await env.sudo().model('core.partner').create({ name: 'Named', company_id });
        const named = { module: 'elsewhere', name: `partner_${id}`, model: 'core.partner', res_id: id };
        await env.sudo().model('sys.model.data').create(named);
        return { id, value: `elsewhere.partner_${id}` };
      });
    const steps = (value: unknown) => [{ do: 'set', values: { partner_id: { value } } }];
    const [own, other] = [await secretly(world.author.companyId), await secretly(null)];
    const id = await world.rule({ steps: steps(own.value) }, world.author);
    const [rule] = await world.work((env) => env.model('automation.rule').read([id], ['steps']));
    expect(rule).toMatchObject({ steps: steps(own.id) });
    await expect(world.rule({ steps: steps(other.value) }, world.author)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });

  it('AUT-10 it changes no record that its author may not change, whatever the model allows', async () => {
    const author = await world.person('Wanda Writer', ['base.group_customise', 'base.group_user']);
    const id = await world
      .active(
        {
          model: 'core.user',
          trigger: 'change',
          field: 'signature',
          steps: [{ do: 'set', values: { email: { value: 'mine@example.com' } } }],
        },
        author,
      )
      .catch(() => null);
    const victim = await world.person('Vic Victim', ['base.group_user'], { email: 'vic@example.com' });
    await world.work((env) => env.sudo().model('core.user').write([victim.uid], { signature: 'Vic' }));
    await world.runAll();
    const [row] = await world.work((env) => env.sudo().model('core.user').read([victim.uid], ['email']));
    expect(row).toMatchObject({ email: 'vic@example.com' });
    if (id !== null)
      expect((await world.runs(id)).map(({ state, problem }) => [state, problem])).toEqual([['skipped', 'closed']]);
  });

  it('AUT-10 it does not notice records that its author may not read', async () => {
    const author = await world.person('Hilda Half', ['base.group_customise', 'crm.group_user']);
    const own = await world.lead({ name: 'Own', user_id: author.uid });
    const foreign = await world.lead({ name: 'Foreign', user_id: world.admin.uid });
    const id = await world.active({ trigger: 'change', field: 'color', steps: [urgent] }, author);
    for (const lead of [own, foreign]) await world.change(lead, { color: 4 });
    await world.runAll();
    expect(await world.runs(id)).toMatchObject([{ res_id: own, state: 'done' }]);
    expect(await world.read(foreign, ['priority'])).toMatchObject({ priority: '0' });
  });

  it('AUT-10 it reaches records of colleagues that its author manages, and none of companies in which the author may not act', async () => {
    const company = await world.work((env) =>
      env.sudo().model('core.company').create({ name: 'Elsewhere', currency_id: 1 }),
    );
    const id = await world.active({ steps: [urgent] }, world.author);
    const here = await world.lead({ user_id: null });
    const there = await world.work(async (env) => {
      const server = env.as({ ...systemActor, companyId: company }).sudo();
      return server.model('crm.lead').create({ name: 'There', company_id: company, team_id: null });
    });
    await world.runAll();
    expect(await world.runs(id)).toMatchObject([{ res_id: here, state: 'done' }]);
    const [row] = await world.work((env) => env.sudo().model('crm.lead').read([there], ['priority']));
    expect(row).toMatchObject({ priority: '0' });
  });

  it('AUT-11 rights that are taken away later end it: nothing is done, and it is switched off', async () => {
    const author = await world.person('Paula Past', ['base.group_customise', 'crm.group_manager']);
    const id = await world.active({ steps: [urgent] }, author);
    const lead = await world.lead();
    await world.work(async (env) =>
      env
        .sudo()
        .model('core.user')
        .write([author.uid], { group_ids: [['set', [await env.ref('base.group_customise')]]] }),
    );
    await world.runAll();
    expect(await world.runs(id)).toMatchObject([{ state: 'failed', problem: 'rights', done: null }]);
    expect(await world.read(lead, ['priority'])).toMatchObject({ priority: '0' });
    expect(await world.state(id)).toMatchObject({ state: 'paused', paused_for: 'rights' });
    const gone = await world.person('Gil Gone', ['base.group_customise', 'crm.group_manager']);
    const second = await world.active({ steps: [urgent] }, gone);
    await world.work((env) => env.sudo().model('core.user').write([gone.uid], { active: false }));
    await world.lead();
    await world.runAll();
    expect(await world.state(second)).toMatchObject({ state: 'paused', paused_for: 'owner' });
  });

  it('AUT-16 the log has no values of records, and only its author and administrators read it', async () => {
    const id = await world.active(
      {
        steps: [
          { do: 'set', values: { description: { value: 'Top secret' } } },
          { do: 'note', text: 'Code {name}' },
          { do: 'mail', to: '{email_from}', subject: 'x', body: 'y' },
        ],
      },
      world.author,
    );
    await world.lead({ name: 'Hidden name' });
    await world.runAll();
    const rows = await world.kernel.database.query<{ row: string }>(
      sql`select to_jsonb(r)::text as row from automation_run r`,
    );
    expect(rows.map(({ row }) => row).join()).not.toMatch(/Top secret|Hidden name/);
    const seen = await world.act(
      (env) => env.model('automation.run').searchRead([['rule_id', '=', id]], ['state', 'step']),
      world.author,
    );
    expect(seen).toMatchObject([{ state: 'failed', step: 3 }]);
    await expect(
      world.act((env) => env.model('automation.run').searchRead([['rule_id', '=', id]], ['reason']), world.author),
    ).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    const other = await world.person('Una Other', ['base.group_customise']);
    expect(await world.act((env) => env.model('automation.run').search([]), other)).toEqual([]);
    await expect(world.act((env) => env.model('automation.run').unlink([]), world.author)).rejects.toMatchObject({
      code: 'ACCESS_DENIED',
    });
  });
});

describe('the dry run', () => {
  const trial = async (id: number, actor: Actor) => {
    const route = (work: Parameters<AutomationWorld['act']>[0]) => world.act(work, actor);
    const { body } = (await route((env) =>
      tryRule({
        env,
        method: 'POST',
        path: '',
        params: { rule: String(id) },
        query: {},
        body: null,
        headers: {},
        lang: 'en_US',
      }),
    )) as { body: { matching: number; tried: Record<string, unknown>[] } };
    return body;
  };

  it('AUT-17 a dry run shows what would happen to records that the caller may read, and nothing of it stays', async () => {
    const user = await world.person('Dee Dry', ['base.group_customise', 'crm.group_user']);
    const id = await world.rule(
      {
        domain: [['name', '=like', 'Dry%']],
        steps: [
          urgent,
          { do: 'note', text: 'Hello' },
          { do: 'create', model: 'core.partner', values: { name: { from: 'name' } } },
        ],
      },
      user,
    );
    const mine = await world.lead({ name: 'Dry mine', user_id: user.uid });
    await world.lead({ name: 'Dry hidden', user_id: world.author.uid });
    const other = await world.lead({ name: 'Wet', user_id: user.uid });
    const before = await world.kernel.database.query(sql`
      select (select count(*) from mail_message) as notes, (select count(*) from core_partner) as people, (select count(*) from automation_run) as runs`);
    const { matching, tried } = await trial(id, user);
    expect(matching).toBe(1);
    expect(tried.find((each) => each.id === mine)).toMatchObject({ outcome: 'run', changes: { priority: ['0', '3'] } });
    expect(tried.find((each) => each.id === other)).toMatchObject({
      outcome: 'skipped',
      unmet: ['name', '=like', 'Dry%'],
    });
    expect(JSON.stringify(tried)).not.toContain('hidden');
    expect(await world.read(mine, ['priority'])).toMatchObject({ priority: '0' });
    expect(
      await world.kernel.database.query(sql`
        select (select count(*) from mail_message) as notes, (select count(*) from core_partner) as people, (select count(*) from automation_run) as runs`),
    ).toEqual(before);
  });

  it('AUT-17 a dry run says at which step it would fail, and nobody tries an automation of others', async () => {
    const id = await world.rule(
      { steps: [urgent, { do: 'mail', to: '{email_from}', subject: 'x', body: 'y' }] },
      world.author,
    );
    const lead = await world.lead({ user_id: world.author.uid });
    const { tried } = await trial(id, world.author);
    const found = tried.find((each) => each.id === lead);
    expect(found).toMatchObject({ outcome: 'fails', step: 2 });
    expect(found).not.toHaveProperty('reason');
    const other = await world.person('Nia Nobody', ['base.group_customise', 'crm.group_manager']);
    await expect(trial(id, other)).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    const seller = await world.person('Sue Seller', ['crm.group_user']);
    await expect(trial(id, seller)).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  });
});

describe('messages of other programs', () => {
  const send = async (rule: number, key: string, { id = 'msg_1', at = new Date(), body = '{}', secret = '' } = {}) => {
    const time = String(Math.floor(at.getTime() / 1_000));
    const mac = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
      .update(`${id}.${time}.${body}`)
      .digest('base64');
    const [route] = world.kernel.loaded.definitions.get('automations')?.routes ?? [];
    const headers = { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': `v1,${key || mac}` };
    const given = {
      method: 'POST' as const,
      path: '',
      params: { rule: String(rule) },
      query: {},
      headers,
      lang: 'en_US',
    };
    const work = await world.kernel.transact(systemActor, async (env) =>
      route?.handler({ ...given, env: typedEnv(env), body: JSON.parse(body), bytes: Buffer.from(body) }),
    );
    return work.result;
  };
  const secretOf = async (id: number) => {
    const answer = await world.act((env) => env.model('automation.rule').call([id], 'renew_secret'));
    return answer?.redirect.split('#secret=')[1] ?? '';
  };

  it('AUT-15 a signed message makes or changes a record from its values, once', async () => {
    const id = await world.active({
      ...{ trigger: 'hook', model: 'core.partner', match: 'email' },
      fields: { name: 'customer.name', email: 'customer.email' },
      steps: [{ do: 'set', values: { phone: { value: '42' } } }],
    });
    const secret = await secretOf(id);
    const body = JSON.stringify({ customer: { name: 'Grace', email: 'grace@example.com', is_admin: true } });
    expect(await send(id, '', { secret, body })).toMatchObject({ status: 202 });
    expect(await send(id, '', { secret, body })).toMatchObject({ status: 200, body: { result: { duplicate: true } } });
    await world.runAll();
    const changed = JSON.stringify({ customer: { name: 'Grace H.', email: 'grace@example.com' } });
    await send(id, '', { secret, body: changed, id: 'msg_2' });
    await world.runAll();
    const found = await world.work((env) =>
      env.model('core.partner').searchRead([['email', '=', 'grace@example.com']], ['name', 'phone']),
    );
    expect(found).toMatchObject([{ name: 'Grace H.', phone: '42' }]);
    expect(await world.runs(id)).toMatchObject([{ state: 'done', res_id: found[0]?.id }, { state: 'done' }]);
    await send(id, '', { secret, body: '{"other": 1}', id: 'msg_3' });
    await world.runAll();
    expect((await world.runs(id)).at(-1)).toMatchObject({ state: 'skipped', problem: 'message' });
    const kept = await world.kernel.database.query(sql`select id from automation_run where payload is not null`);
    expect(kept).toEqual([]);
  });

  it('AUT-22 messages with wrong values are left out, and however many of them come, the automation stays on', async () => {
    const id = await world.active({
      ...{ trigger: 'hook', model: 'core.partner', match: 'email' },
      fields: { name: 'name', email: 'email', country_id: 'country' },
      steps: [{ do: 'set', values: { phone: { value: '1' } } }],
    });
    const secret = await secretOf(id);
    for (let count = 0; count < 12; count++) {
      const values = count % 2 ? { name: 'x'.repeat(9_000) } : { name: 'A', country: 'nowhere' };
      await send(id, '', { secret, id: `bad_${count}`, body: JSON.stringify(values) });
    }
    await send(id, '', { secret, id: 'good', body: '{"name": "Ida", "email": "ida@form.example"}' });
    await world.runAll();
    const runs = await world.runs(id);
    expect(runs.map(({ state }) => state)).toEqual([...Array.from({ length: 12 }, () => 'skipped'), 'done']);
    expect(runs[0]).toMatchObject({ problem: 'message', reason: expect.stringContaining('Country') });
    expect(await world.state(id)).toMatchObject({ state: 'on' });
  });

  it('AUT-22 the same message twice at once is one', async () => {
    const id = await world.active({
      ...{ trigger: 'hook', model: 'core.partner', fields: { name: 'name' } },
      steps: [{ do: 'set', values: { phone: { value: '1' } } }],
    });
    const secret = await secretOf(id);
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => send(id, '', { secret, id: 'twin', body: '{"name": "Twin"}' })),
    );
    expect(answers.map((each) => each?.status).toSorted()).toEqual([200, 200, 200, 200, 200, 202]);
    expect(await world.runs(id)).toHaveLength(1);
  });

  it('AUT-15 a forged, old or unsigned message, a wrong automation and one that is off are answered alike', async () => {
    const id = await world.active({
      trigger: 'hook',
      model: 'core.partner',
      fields: { name: 'name' },
      steps: [{ do: 'set', values: { phone: { value: '1' } } }],
    });
    const secret = await secretOf(id);
    const body = '{"name": "Mallory"}';
    const refused = { code: 'UNAUTHORIZED' };
    await expect(send(id, 'AAAA', { body })).rejects.toMatchObject(refused);
    await expect(send(id, '', { body, secret: 'whsec_AAAA' })).rejects.toMatchObject(refused);
    await expect(send(id, '', { body, secret, at: new Date(Date.now() - 6 * 60_000) })).rejects.toMatchObject(refused);
    await expect(send(id, '', { body, secret, at: new Date(Date.now() + 6 * 60_000) })).rejects.toMatchObject(refused);
    await expect(send(id, '', { body, secret, id: '' })).rejects.toMatchObject(refused);
    await expect(send(999_999, '', { body, secret })).rejects.toMatchObject(refused);
    await world.act((env) => env.model('automation.rule').call([id], 'switch_off'));
    await expect(send(id, '', { body, secret })).rejects.toMatchObject(refused);
    expect(await world.work((env) => env.model('core.partner').count([['name', '=', 'Mallory']]))).toBe(0);
    await expect(world.act((env) => env.model('automation.rule').read([id], ['secret']))).rejects.toMatchObject({
      code: 'ACCESS_DENIED',
    });
  });
});
