import { describe, expect, it } from 'vitest';
import { crmWorld } from './crm-world.ts';

const world = crmWorld();

describe('who sees which lead', () => {
  it('CRM-6 own, team, all', async () => {
    const seller = await world().person('Ana', ['crm.group_user']);
    const colleague = await world().person('Ben', ['crm.group_user']);
    const leader = await world().person('Cho', ['crm.group_leader']);
    const manager = await world().person('Dev', ['crm.group_manager']);
    const stranger = await world().person('Eve');
    const team = await world().work((env) =>
      env.model('sale.team').create({ name: 'South', user_id: leader.uid, member_ids: [['set', [seller.uid]]] }),
    );
    const ids = {
      own: await world().lead({}, seller),
      colleague: await world().lead({}, colleague),
      nobody: await world().lead({ user_id: null, team_id: null }),
      team: await world().lead({ user_id: manager.uid, team_id: team }),
    };
    const names = Object.fromEntries(Object.entries(ids).map(([name, id]) => [id, name]));
    const seen = async (actor: typeof seller) =>
      (await world().work((env) => env.model('crm.lead').search([['id', 'in', Object.values(ids)]]), actor))
        .map((id) => names[id])
        .sort();
    expect(await seen(seller)).toEqual(['nobody', 'own']);
    expect(await seen(colleague)).toEqual(['colleague', 'nobody']);
    expect(await seen(leader)).toEqual(['nobody', 'own', 'team']);
    expect(await seen(manager)).toEqual(['colleague', 'nobody', 'own', 'team']);
    await expect(seen(stranger)).rejects.toMatchObject({ code: 'ACCESS_DENIED', details: { layer: 'model' } });
    expect(await seen(world().admin)).toHaveLength(4);
  });

  it('ACC-17 the forecast of a team is for its members, its leader and managers, on every way out', async () => {
    const seller = await world().person('Ona', ['crm.group_user']);
    const leader = await world().person('Pia', ['crm.group_leader']);
    const other = await world().person('Quin', ['crm.group_leader']);
    const manager = await world().person('Rex', ['crm.group_manager']);
    const team = (name: string, values: object) =>
      world().work((env) => env.model('sale.team').create({ name, ...values }));
    const own = await team('Own', { user_id: leader.uid, member_ids: [['set', [seller.uid]]] });
    const away = await team('Away', { user_id: other.uid });
    const none = await team('Empty', { user_id: other.uid });
    const ids = [own, away, none];
    const stage_id = world().stages.qualified;
    await world().lead({ team_id: own, user_id: null, expected_revenue: '1000', stage_id }, manager);
    await world().lead({ team_id: away, user_id: null, expected_revenue: '5000', stage_id }, manager);
    const domain = [['id', 'in', ids]] as const;
    const looks = async (actor: typeof seller) =>
      world().work(async (env) => {
        const teams = env.model('sale.team');
        const rows = await teams.searchRead(domain, ['forecast'], { order: 'forecast, id' });
        const grouped = await teams.readGroup({ domain, groupby: ['forecast'], fields: [] });
        const [total] = await teams.readGroup({
          ...{ domain, groupby: [] },
          fields: [{ name: 'total', field: 'forecast', measure: 'sum' }],
        });
        const { value } = await teams.onchange({ name: 'Other' }, ['name'], { id: away });
        return {
          values: new Map(rows.map(({ id, forecast }) => [id, forecast === null ? null : String(forecast)])),
          order: rows.map(({ id }) => id).filter((id) => id !== own),
          groups: grouped.length,
          total: String(total?.total),
          found: await teams.search([...domain, ['forecast', '>', 1000]]),
          path: (await env.model('crm.lead').searchRead([['team_id', '=', away]], ['team_id.forecast'])).map((row) =>
            String(row['team_id.forecast']),
          ),
          value,
        };
      }, actor);
    const sellers = await looks(seller);
    expect([...sellers.values]).toEqual([
      [own, '300'],
      [away, null],
      [none, null],
    ]);
    expect(sellers).toMatchObject({ order: [away, none], groups: 2, total: '300', found: [], path: ['null'] });
    expect(sellers.value).not.toHaveProperty('forecast');
    expect(await looks(leader)).toMatchObject({ total: '300', found: [] });
    expect(await looks(other)).toMatchObject({ total: '1500', found: [away] });
    expect(await looks(manager)).toMatchObject({ order: [none, away], groups: 3, total: '1800', path: ['1500'] });
  });

  it('ACC-11 stages of another company’s team are seen by nobody else', async () => {
    const seller = await world().person('Lev', ['crm.group_user']);
    const manager = await world().person('Mia', ['crm.group_manager']);
    const stage = await world().work(async (env) => {
      const company = await env
        .sudo()
        .model('core.company')
        .create({ name: 'Elsewhere', currency_id: await env.ref('base.EUR') });
      const team = await env.sudo().model('sale.team').create({ name: 'Far', company_id: company });
      return env.sudo().model('crm.stage').create({ name: 'Secret step', team_id: team });
    });
    const seen = (actor: typeof seller) =>
      world().work((env) => env.model('crm.stage').search([['id', 'in', [stage, world().stages.new]]]), actor);
    expect([await seen(seller), await seen(manager)]).toEqual([[world().stages.new], [world().stages.new]]);
    const rename = world().work((env) => env.model('crm.stage').write([stage], { name: 'Known' }), manager);
    await expect(rename).rejects.toMatchObject({ code: 'ACCESS_DENIED', details: { layer: 'rule' } });
  });

  it('CRM-6 a salesperson takes a lead that nobody has, and cannot give away their own', async () => {
    const [seller, other] = [
      await world().person('Fay', ['crm.group_user']),
      await world().person('Gus', ['crm.group_user']),
    ];
    const id = await world().lead({ user_id: null });
    await world().write(id, { user_id: seller.uid }, seller);
    await expect(world().write(id, { user_id: other.uid }, seller)).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    await expect(world().write(id, { name: 'Mine' }, other)).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  });

  it('CRM-9 a salesperson hands their own lead to a colleague, who is told, and nobody hands over what is not theirs', async () => {
    const seller = await world().person('Ida', ['crm.group_user']);
    const other = await world().person('Jon', ['crm.group_user']);
    const id = await world().lead({ name: 'Library' }, seller);
    const params = { user_id: String(other.uid), note: 'They like **birch**.' };
    await expect(world().call(id, 'hand_over', params, other)).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    await expect(world().call(id, 'hand_over', {}, seller)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: { user_id: ['A value is required.'] } },
    });
    const answer = await world().call(id, 'hand_over', params, seller);
    expect(answer).toEqual({ redirect: '/web?action=crm.pipeline' });
    const sees = (actor: typeof seller) => world().work((env) => env.model('crm.lead').count([['id', '=', id]]), actor);
    expect([await sees(seller), await sees(other)]).toEqual([0, 1]);
    const told = await world().work((env) =>
      env
        .sudo()
        .model('mail.message')
        .count([
          ['model', '=', 'crm.lead'],
          ['res_id', '=', id],
          ['kind', '=', 'comment'],
        ]),
    );
    expect(told).toBe(1);
  });

  it('CRM-6 stages, teams and reasons are set up by managers', async () => {
    const seller = await world().person('Hal', ['crm.group_user']);
    for (const [model, values] of [
      ['crm.stage', { name: 'X' }],
      ['sale.team', { name: 'X' }],
      ['crm.lost.reason', { name: 'X' }],
    ] as const) {
      const create = world().work((env) => env.model(model).create(values), seller);
      await expect(create).rejects.toMatchObject({ code: 'ACCESS_DENIED', details: { model, layer: 'model' } });
    }
  });

  it('CRM-6 leads of another company are hidden, and its teams and customers refused', async () => {
    const [company, partner] = await world().work(async (env) => {
      const second = await env
        .sudo()
        .model('core.company')
        .create({ name: 'Zweite', currency_id: await env.ref('base.CHF') });
      return [second, await env.sudo().model('core.partner').create({ name: 'Theirs', company_id: second })];
    });
    const team = await world().work((env) => env.sudo().model('sale.team').create({ name: 'T2', company_id: company }));
    const hidden = await world().work((env) =>
      env.sudo().model('crm.lead').create({ name: 'Hidden', company_id: company, team_id: team }),
    );
    expect(await world().read(hidden, ['currency_id.name'])).toMatchObject({ 'currency_id.name': 'CHF' });
    expect(await world().work((env) => env.model('crm.lead').count([['id', '=', hidden]]))).toBe(0);
    for (const values of [{ team_id: team }, { partner_id: partner }]) {
      await expect(world().lead(values)).rejects.toMatchObject({
        code: expect.stringMatching(/ACCESS_DENIED|VALIDATION_ERROR/),
      });
    }
  });
});
