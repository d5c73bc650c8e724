import { sql } from '@kontor/database';
import { systemJobs } from '@kontor/parts';
import { buildWorkspace, readWorkspaceQuery } from '@kontor/workspace';
import { describe, expect, it } from 'vitest';
import { crmWorld } from './crm-world.ts';

const world = crmWorld();
const open = (query: Record<string, string>, actor = world().admin) =>
  buildWorkspace(world().kernel, { actor, csrf: 'token', lastWrite: null }, readWorkspaceQuery(query));
const reason = () => world().work((env) => env.ref('crm.reason_silence'));

describe('a dialog', () => {
  it('WSP-26 opens with the records that it is about, and the button says so', async () => {
    const ids = [await world().lead(), await world().lead()];
    const form = await open({ model: 'crm.lead', view_type: 'form', id: String(ids[0]) });
    expect(form.arch.header.buttons.find((button) => button.name === 'crm.lose_leads')).toMatchObject({
      type: 'action',
      target: 'dialog',
    });
    const dialog = await open({ action: 'crm.lose_leads', active_ids: ids.join() });
    expect(dialog).toMatchObject({ viewType: 'form', recordId: 0, defaults: { lead_ids: [['set', ids]] } });
    expect(dialog.arch).toMatchObject({ target: 'dialog', title: 'Mark as lost' });
  });

  it('WSP-26 what it asked is seen by who was asked, tells nobody and is swept away', async () => {
    const { kernel, work, admin, person } = world();
    const mine = await person('Aiko', ['crm.group_user']);
    const other = await person('Lena', ['crm.group_manager']);
    const lead = await world().lead({ user_id: mine.uid });
    const values = { lead_ids: [['set', [lead]]], lost_reason_id: await reason() };
    const { result: id, changeSet } = await kernel.transact(mine, (env) => env.model('crm.lead.lose').create(values));
    expect(changeSet ?? null).toBeNull();
    expect(await work((env) => env.model('crm.lead.lose').searchRead([], ['id']), mine)).toEqual([{ id }]);
    expect(await work((env) => env.model('crm.lead.lose').searchRead([], ['id']), other)).toEqual([]);
    expect(await work((env) => env.model('crm.lead.lose').searchRead([], ['id']), admin)).toEqual([]);
    await expect(work((env) => env.model('crm.lead.lose').write([id], { note: 'x' }), other)).rejects.toMatchObject({
      code: 'ACCESS_DENIED',
    });
    const sweep = async () => {
      const job = systemJobs.find(({ name }) => name === 'clean_drafts');
      await job?.runAsSystem(kernel, new AbortController().signal);
      return work((env) => env.model('crm.lead.lose').searchRead([], ['id']), mine);
    };
    expect(await sweep()).toEqual([{ id }]);
    await kernel.database.execute(sql`update crm_lead_lose set write_date = now() - interval '2 days'`);
    expect(await sweep()).toEqual([]);
    expect(await world().read(lead, ['state'])).toMatchObject({ state: 'open' });
  });

  it('CRM-3 asks why something was lost, and the note is said in the discussion', async () => {
    const ids = [await world().lead(), await world().lead()];
    const lost_reason_id = await reason();
    await world().work(async (env) => {
      const id = await env
        .model('crm.lead.lose')
        .create({ lead_ids: [['set', ids]], lost_reason_id, note: 'They went with **Acme**.' });
      await env.model('crm.lead.lose').call([id], 'lose');
    });
    for (const id of ids) {
      expect(await world().read(id, ['state', 'lost_reason_id'])).toMatchObject({ state: 'lost', lost_reason_id });
      const said = await world().work((env) =>
        env
          .sudo()
          .model('mail.message')
          .searchRead(
            [
              ['model', '=', 'crm.lead'],
              ['res_id', '=', id],
              ['kind', '=', 'comment'],
            ],
            ['body'],
          ),
      );
      expect(said).toMatchObject([{ body: '<p>They went with <strong>Acme</strong>.</p>' }]);
    }
  });

  it('CRM-5 asks which lead stays, of those chosen, and proposes the furthest', async () => {
    const near = await world().lead({ name: 'Near', stage_id: world().stages.new, type: 'lead' });
    const far = await world().lead({ name: 'Far', stage_id: world().stages.proposition });
    const dialog = await open({ action: 'crm.merge_leads', active_ids: `${near},${far}` });
    expect(dialog.defaults).toMatchObject({ keep_id: far });
    expect(dialog.arch.fields.find((field) => field.name === 'keep_id')?.domain).toEqual([['id', 'in', [near, far]]]);
    const answer = await world().work(async (env) => {
      const id = await env.model('crm.lead.merge').create({ lead_ids: [['set', [near, far]]], keep_id: near });
      return env.model('crm.lead.merge').call([id], 'merge');
    });
    expect(answer).toEqual({ redirect: `/web?model=crm.lead&view_type=form&id=${near}` });
    expect(await world().read(near, ['name'])).toMatchObject({ name: 'Near' });
    const stranger = await world().lead();
    await expect(world().call([near, stranger], 'merge', { keep: '1' })).rejects.toMatchObject({
      code: 'USER_ERROR',
      message: /one of those chosen/,
    });
  });
});
