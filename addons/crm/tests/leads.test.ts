import { Decimal } from '@kontor/addon';
import { describe, expect, it } from 'vitest';
import { crmWorld } from './crm-world.ts';

const world = crmWorld();
const refusedWith = (message: string | RegExp) => ({ code: 'USER_ERROR', message: expect.stringMatching(message) });

describe('a new lead', () => {
  it('CRM-1 begins in the first stage, with its probability, its salesperson and their team', async () => {
    const actor = await world().person('Sven Ek', ['crm.group_user']);
    const team = await world().work((env) =>
      env.model('sale.team').create({ name: 'North', member_ids: [['link', actor.uid]] }),
    );
    const id = await world().lead({ type: 'lead', expected_revenue: '1234.50' }, actor);
    expect(
      await world().read(id, ['stage_id', 'state', 'user_id', 'team_id', 'probability', 'weighted_revenue']),
    ).toMatchObject({
      stage_id: world().stages.new,
      state: 'open',
      user_id: actor.uid,
      team_id: team,
      probability: new Decimal(10),
      weighted_revenue: new Decimal('123.45'),
    });
  });

  it('CRM-1 a team works with its own stages and those of all', async () => {
    const [team, stage] = await world().work(async (env) => {
      const id = await env.model('sale.team').create({ name: 'Tenders', sequence: 99 });
      return [
        id,
        await env.model('crm.stage').create({ name: 'Call for bids', sequence: 1, team_id: id, probability: 5 }),
      ];
    });
    expect(await world().read(await world().lead({ team_id: team }), ['stage_id'])).toMatchObject({ stage_id: stage });
    expect(await world().read(await world().lead({ team_id: null }), ['stage_id'])).toMatchObject({
      stage_id: world().stages.new,
    });
  });

  it('CRM-1 cannot begin as won or lost, but one that is made in a won column is won', async () => {
    await expect(world().lead({ state: 'won' })).rejects.toMatchObject(refusedWith('cannot begin'));
    const id = await world().lead({ stage_id: world().stages.won });
    expect(await world().read(id, ['state', 'probability'])).toMatchObject({
      state: 'won',
      probability: new Decimal(100),
    });
  });

  it('CRM-1 the customer fills in what is known of them', async () => {
    const { person, value } = await world().work(async (env) => {
      const firm = await env.model('core.partner').create({ name: 'Hôtel du Lac', is_company: true });
      const person = await env
        .model('core.partner')
        .create({ name: 'Inès Roux', parent_id: firm, email: 'ines@lac.example', city: 'Annecy' });
      return { person, ...(await env.model('crm.lead').onchange({ partner_id: person }, ['partner_id'])) };
    });
    expect(value).toMatchObject({
      email_from: 'ines@lac.example',
      contact_name: 'Inès Roux',
      partner_name: 'Hôtel du Lac',
      city: 'Annecy',
    });
    const id = await world().lead({ partner_id: person, city: 'Lyon' });
    expect(await world().read(id, ['email_from', 'partner_name', 'city'])).toMatchObject({
      email_from: 'ines@lac.example',
      partner_name: 'Hôtel du Lac',
      city: 'Lyon',
    });
  });
});

describe('positions', () => {
  it('MAP-1 a lead is where its customer is, or where its own address is', async () => {
    const { customer, germany } = await world().work(async (env) => {
      const germany = await env.ref('base.country_DE');
      const placed = { city: 'Hooge', country_id: germany, latitude: 54.57, longitude: 8.55 };
      return { germany, customer: await env.model('core.partner').create({ name: 'Halligkaufmann', ...placed }) };
    });
    const names = ['latitude', 'longitude', 'placed_by_hand'] as const;
    const id = await world().lead({ partner_id: customer });
    expect(await world().read(id, [...names])).toMatchObject({
      latitude: 54.57,
      longitude: 8.55,
      placed_by_hand: false,
    });
    const place = (latitude: number, longitude: number) =>
      world().work((env) => env.model('core.partner').write([customer], { latitude, longitude }));
    await place(54.56, 8.54);
    expect(await world().read(id, [...names])).toMatchObject({
      latitude: 54.56,
      longitude: 8.54,
      placed_by_hand: false,
    });
    await world().work((env) => env.model('crm.lead').write([id], { city: 'Berlin' }));
    await place(54.57, 8.55);
    expect(await world().read(id, [...names])).toMatchObject({ latitude: 52.52437, placed_by_hand: false });
    const own = await world().lead({ city: 'München', country_id: germany });
    expect(await world().read(own, [...names])).toMatchObject({ latitude: 48.13743, placed_by_hand: false });
    await world().work((env) =>
      env.model('crm.lead').write([own], { latitude: 47.5, longitude: 11.1, placed_by_hand: true }),
    );
    await world().work((env) => env.model('crm.lead').write([own], { city: 'Köln' }));
    expect(await world().read(own, [...names])).toMatchObject({ latitude: 47.5, placed_by_hand: true });
  });
});

describe('stage, state and dates', () => {
  it('CRM-2 winning puts it into the won stage with all of its revenue', async () => {
    const id = await world().lead({ expected_revenue: 500, stage_id: world().stages.proposition });
    await world().call(id, 'win');
    const won = await world().read(id, [
      'state',
      'stage_id',
      'probability',
      'weighted_revenue',
      'date_closed',
      'days_to_close',
    ]);
    expect(won).toMatchObject({
      state: 'won',
      stage_id: world().stages.won,
      probability: new Decimal(100),
      weighted_revenue: new Decimal(500),
      days_to_close: 0,
    });
    expect(won.date_closed).not.toBeNull();
  });

  it('CRM-2 a card dragged into the won column is won, and dragged back it is open again', async () => {
    const id = await world().lead({ stage_id: world().stages.qualified });
    await world().write(id, { stage_id: world().stages.won });
    expect(await world().read(id, ['state'])).toMatchObject({ state: 'won' });
    await world().write(id, { stage_id: world().stages.proposition });
    expect(await world().read(id, ['state', 'stage_id', 'probability', 'date_closed'])).toMatchObject({
      state: 'open',
      stage_id: world().stages.proposition,
      probability: new Decimal(60),
      date_closed: null,
    });
  });

  it('CRM-2 another stage brings its probability, unless one is given', async () => {
    const id = await world().lead();
    await world().write(id, { stage_id: world().stages.qualified });
    expect(await world().read(id, ['probability'])).toMatchObject({ probability: new Decimal(30) });
    await world().write(id, { stage_id: world().stages.proposition, probability: '72.5' });
    expect(await world().read(id, ['probability'])).toMatchObject({ probability: new Decimal('72.5') });
  });

  it('CRM-3 only an opportunity can be won, by button, by write and by drag', async () => {
    const id = await world().lead({ type: 'lead' });
    const ways = [
      () => world().call(id, 'win'),
      () => world().write(id, { state: 'won' }),
      () => world().write(id, { stage_id: world().stages.won }),
    ];
    for (const way of ways) await expect(way()).rejects.toMatchObject(refusedWith('Convert the lead'));
    expect(await world().read(id, ['state', 'stage_id'])).toMatchObject({
      state: 'open',
      stage_id: world().stages.new,
    });
  });

  it('CRM-3 losing needs a reason, which may come along', async () => {
    const id = await world().lead({ expected_revenue: 100 });
    await expect(world().call(id, 'lose')).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: { lost_reason_id: ['A value is required.'] } },
    });
    await expect(world().write(id, { state: 'lost' })).rejects.toMatchObject(refusedWith('Choose a lost reason'));
    await expect(world().call(id, 'lose', { lost_reason_id: 'x' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { fields: { lost_reason_id: expect.any(Array) } },
    });
    const reason = await world().work((env) => env.ref('crm.reason_price'));
    await world().call(id, 'lose', { lost_reason_id: String(reason) });
    expect(await world().read(id, ['state', 'lost_reason_id', 'probability', 'weighted_revenue'])).toMatchObject({
      state: 'lost',
      lost_reason_id: reason,
      probability: new Decimal(0),
      weighted_revenue: new Decimal(0),
    });
    await expect(world().call(id, 'win')).rejects.toMatchObject(refusedWith('is "Lost" and cannot become "Won"'));
  });

  it('CRM-3 restoring opens it where it was, and takes the reason away', async () => {
    const id = await world().lead({ stage_id: world().stages.proposition });
    const reason = await world().work((env) => env.ref('crm.reason_need'));
    await world().write(id, { state: 'lost', lost_reason_id: reason, active: false });
    await world().call(id, 'restore');
    const open = {
      state: 'open',
      stage_id: world().stages.proposition,
      lost_reason_id: null,
      date_closed: null,
      active: true,
    };
    expect(await world().read(id, [...Object.keys(open)])).toMatchObject(open);
    await world().call(id, 'win');
    await world().call(id, 'restore');
    expect(await world().read(id, ['state', 'stage_id', 'probability'])).toMatchObject({
      state: 'open',
      stage_id: world().stages.proposition,
      probability: new Decimal(60),
    });
  });

  it('CRM-3 a won opportunity is reopened by a team leader only, and never deleted', async () => {
    const actor = await world().person('Tomo Abe', ['crm.group_user']);
    const id = await world().lead({}, actor);
    await world().call(id, 'win', {}, actor);
    await expect(world().call(id, 'restore', {}, actor)).rejects.toMatchObject(refusedWith('team leader'));
    const remove = world().work((env) => env.model('crm.lead').unlink([id]));
    await expect(remove).rejects.toMatchObject(refusedWith('cannot be deleted'));
  });

  it('CRM-2 without a stage for what is won it stays where it stands', async () => {
    await world().work((env) => env.model('crm.stage').write([world().stages.won], { is_won: false }));
    const id = await world().lead({ stage_id: world().stages.proposition });
    await world().call(id, 'win');
    expect(await world().read(id, ['state', 'stage_id'])).toMatchObject({
      state: 'won',
      stage_id: world().stages.proposition,
    });
    await world().work((env) => env.model('crm.stage').write([world().stages.won], { is_won: true }));
    const wrong = world().work((env) => env.model('crm.stage').write([world().stages.won], { probability: 90 }));
    await expect(wrong).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('CRM-2 many leads are won in as many statements as one', async () => {
    const make = (count: number) =>
      world().work((env) =>
        env
          .model('crm.lead')
          .createMany(Array.from({ length: count }, (_, i) => ({ name: `L${i}`, type: 'opportunity' }))),
      );
    const statementsFor = (ids: readonly number[]) =>
      world().work(async (env) => {
        const before = env.db.statements;
        await env.model('crm.lead').call(ids, 'win');
        return env.db.statements - before;
      });
    const many = await make(20);
    expect(await statementsFor(many)).toBe(await statementsFor(await make(1)));
    expect(
      await world().work((env) =>
        env.model('crm.lead').readGroup({ domain: [['id', 'in', many]], groupby: ['state', 'stage_id'], fields: [] }),
      ),
    ).toMatchObject([{ state: 'won', stage_id: world().stages.won, __count: 20 }]);
  });
});

describe('the pipeline', () => {
  it('CRM-7 adds up by stage, and the forecast of a team follows', async () => {
    const team = await world().work((env) => env.model('sale.team').create({ name: 'Sum' }));
    await world().lead({ team_id: team, expected_revenue: '1000.10', stage_id: world().stages.qualified });
    const id = await world().lead({ team_id: team, expected_revenue: '2000.20', stage_id: world().stages.qualified });
    const rows = await world().work((env) =>
      env.model('crm.lead').readGroup({
        domain: [['team_id', '=', team]],
        groupby: ['stage_id'],
        fields: [{ name: 'total', field: 'expected_revenue', measure: 'sum' }],
      }),
    );
    expect(rows).toMatchObject([
      { stage_id: world().stages.qualified, 'stage_id.display_name': 'Qualified', __count: 2 },
    ]);
    expect(String(rows[0]?.total)).toBe('3000.3');
    const forecast = async () =>
      String((await world().work((env) => env.model('sale.team').read([team], ['forecast'])))[0]?.forecast);
    expect(await forecast()).toBe('900.09');
    await world().call(id, 'win');
    expect(await forecast()).toBe('2300.23');
  });
});
