import { Decimal } from '@kontor/addon';
import { describe, expect, it } from 'vitest';
import { crmWorld } from './crm-world.ts';

const world = crmWorld();
const partners = (domain: readonly (readonly [string, string, unknown])[]) =>
  world().work((env) =>
    env.model('core.partner').searchRead(domain as never, ['name', 'email', 'city', 'parent_id.name', 'is_company']),
  );

describe('converting a lead', () => {
  it('CRM-4 makes its customer: the person under their company, which is made once', async () => {
    const firm = { partner_name: 'Καφέ Ακρόπολη', city: 'Αθήνα' };
    const first = await world().lead({
      ...firm,
      type: 'lead',
      contact_name: 'Ελένη',
      email_from: 'eleni@cafe.example',
    });
    const second = await world().lead({
      ...firm,
      type: 'lead',
      contact_name: 'Νίκος',
      email_from: 'nikos@cafe.example',
    });
    expect(await world().call(first, 'convert')).toEqual({
      redirect: `/web?model=crm.lead&view_type=form&id=${first}`,
    });
    await world().call(second, 'convert');
    const converted = await world().read(first, ['type', 'date_conversion', 'partner_id.name']);
    expect(converted).toMatchObject({ type: 'opportunity', 'partner_id.name': 'Ελένη' });
    expect(converted.date_conversion).not.toBeNull();
    expect(await partners([['name', '=', 'Καφέ Ακρόπολη']])).toMatchObject([{ is_company: true, city: 'Αθήνα' }]);
    expect(await partners([['parent_id.name', '=', 'Καφέ Ακρόπολη']])).toMatchObject([
      { name: 'Ελένη' },
      { name: 'Νίκος' },
    ]);
  });

  it('CRM-11 gives the person the address of the lead as well, to which their invoices go', async () => {
    const names = { partner_name: 'Hafenkante GmbH', contact_name: 'Ingrid', email_from: 'ingrid@hafen.example' };
    const id = await world().lead({ ...names, type: 'lead', city: 'Berlin' });
    await world().call(id, 'convert');
    expect(await partners([['email', '=', 'ingrid@hafen.example']])).toMatchObject([
      { name: 'Ingrid', city: 'Berlin', 'parent_id.name': 'Hafenkante GmbH', is_company: false },
    ]);
    expect(await partners([['name', '=', 'Hafenkante GmbH']])).toMatchObject([{ city: 'Berlin', is_company: true }]);
  });

  it('CRM-4 finds the customer by e-mail, taken literally', async () => {
    const [known] = await world().work((env) =>
      env.model('core.partner').createMany([
        { name: 'Known', email: 'a_b@x.example' },
        { name: 'Other', email: 'acb@x.example' },
      ]),
    );
    const id = await world().lead({ type: 'lead', email_from: 'A_B@X.example' });
    await world().call(id, 'convert');
    expect(await world().read(id, ['partner_id'])).toMatchObject({ partner_id: known });
  });

  it('CRM-4 without a customer if wished, and only open leads', async () => {
    const id = await world().lead({ type: 'lead', contact_name: 'Nobody Known' });
    await world().call(id, 'convert', { customer: 'none' });
    expect(await world().read(id, ['partner_id', 'type'])).toMatchObject({ partner_id: null, type: 'opportunity' });
    await expect(world().call(id, 'convert')).rejects.toMatchObject({ code: 'USER_ERROR', message: /already/ });
    const reason = await world().work((env) => env.ref('crm.reason_silence'));
    const lost = await world().lead({ type: 'lead' });
    await world().write(lost, { state: 'lost', lost_reason_id: reason });
    await expect(world().call(lost, 'convert')).rejects.toMatchObject({
      code: 'USER_ERROR',
      message: /Restore/,
    });
    await expect(world().call(lost, 'convert', { customer: 'guess' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });

  it('CRM-4 several at once', async () => {
    const ids = [await world().lead({ type: 'lead' }), await world().lead({ type: 'lead' })];
    expect(await world().call(ids, 'convert')).toBeUndefined();
    for (const id of ids) expect(await world().read(id, ['type'])).toMatchObject({ type: 'opportunity' });
  });
});

describe('merging leads', () => {
  it('CRM-5 keeps the furthest, fills in what it lacks and loses nothing', async () => {
    const [red, blue] = await world().work((env) =>
      env.model('crm.tag').createMany([{ name: 'Red' }, { name: 'Blue' }]),
    );
    const lead = await world().lead({
      type: 'lead',
      description: '<p>Called</p>',
      phone: '+49 30 1',
      tag_ids: [['link', red]],
    });
    const early = await world().lead({ expected_revenue: 10, description: '<p>Met</p>', city: 'Graz' });
    const far = await world().lead({ stage_id: world().stages.proposition, tag_ids: [['link', blue]] });
    expect(await world().call([lead, early, far], 'merge')).toEqual({
      redirect: `/web?model=crm.lead&view_type=form&id=${far}`,
    });
    expect(
      await world().read(far, ['type', 'phone', 'city', 'description', 'tag_ids', 'stage_id', 'expected_revenue']),
    ).toMatchObject({
      type: 'opportunity',
      phone: '+49 30 1',
      city: 'Graz',
      description: '<p>Met</p><p>Called</p>',
      tag_ids: [blue, red],
      stage_id: world().stages.proposition,
      expected_revenue: new Decimal(10),
    });
    expect(await world().work((env) => env.model('crm.lead').count([['id', 'in', [lead, early]]]))).toBe(0);
  });

  it('CRM-5 salespeople merge their own, though they may not delete', async () => {
    const actor = await world().person('Sal', ['crm.group_user']);
    const ids = [await world().lead({}, actor), await world().lead({}, actor)];
    await expect(world().work((env) => env.model('crm.lead').unlink(ids), actor)).rejects.toMatchObject({
      code: 'ACCESS_DENIED',
    });
    await world().call(ids, 'merge', {}, actor);
    expect(await world().work((env) => env.model('crm.lead').search([['id', 'in', ids]]))).toEqual([ids[0]]);
    const foreign = [ids[0] as number, await world().lead()];
    await expect(world().call(foreign, 'merge', {}, actor)).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  });

  it('CRM-5 one alone, or one that is won, is refused', async () => {
    const [one, won] = [await world().lead(), await world().lead()];
    await world().call(won, 'win');
    await expect(world().call(one, 'merge')).rejects.toMatchObject({ code: 'USER_ERROR', message: /two leads/ });
    await expect(world().call([one, won], 'merge')).rejects.toMatchObject({
      code: 'USER_ERROR',
      message: /won/,
    });
  });
});
