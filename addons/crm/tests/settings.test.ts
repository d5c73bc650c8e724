import { describe, expect, it } from 'vitest';
import { crmWorld } from './crm-world.ts';

const world = crmWorld();

describe('the settings of crm', () => {
  it('CRM-10 say what comes in begins as, and which team takes what no team has', async () => {
    const { work, person } = world();
    const manager = await person('Mara', ['crm.group_manager']);
    const seller = await person('Selma', ['crm.group_user']);
    const make = () => work((env) => env.model('crm.lead').create({ name: 'By the API' }), seller);
    expect(await world().read(await make(), ['type', 'team_id'])).toMatchObject({ type: 'lead', team_id: null });
    const team_id = await work((env) => env.model('sale.team').create({ name: 'Inbound' }), manager);
    await work((env) => env.model('crm.settings').create({ new_type: 'opportunity', team_id }), manager);
    expect(await world().read(await make(), ['type', 'team_id'])).toMatchObject({ type: 'opportunity', team_id });
    const { value } = await work((env) => env.model('crm.settings').onchange({}, []), manager);
    expect(value).toMatchObject({ new_type: 'opportunity', team_id });
    await expect(work((env) => env.model('crm.settings').create({}), seller)).rejects.toMatchObject({
      code: 'ACCESS_DENIED',
    });
  });

  it('CRM-1 a form without a stage gets the first one with its probability', async () => {
    const id = await world().lead({ stage_id: null });
    const lead = await world().read(id, ['stage_id', 'probability']);
    expect(lead.stage_id).toBe(world().stages.new);
    expect(Number(lead.probability)).toBeGreaterThan(0);
  });
});
