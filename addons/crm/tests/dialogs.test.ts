import { sql } from '@kontor/database';
import { systemJobs } from '@kontor/parts';
import { buildWorkspace, readWorkspaceQuery } from '@kontor/workspace';
import { describe, expect, it } from 'vitest';
import { crmWorld } from './crm-world.ts';

const world = crmWorld();
const screen = (query: Record<string, string>, actor = world().admin) =>
  buildWorkspace(world().kernel, { actor, csrf: 'token', lastWrite: null }, readWorkspaceQuery(query));
const reason = () => world().work((env) => env.ref('crm.reason_silence'));
const proposal = (action: string, ids: readonly number[]) =>
  world().work((env) => env.model('crm.lead').proposeAnswers(ids, action));

describe('what an action asks', () => {
  it('WSP-26 stands at its button, with the fields of the dialog', async () => {
    const id = await world().lead();
    const { arch } = await screen({ model: 'crm.lead', view_type: 'form', id: String(id) });
    const lose = arch.header.buttons.find((button) => button.name === 'action_lose');
    expect(lose).toMatchObject({ type: 'object', label: 'Lost', invisible: [['state', 'not in', ['open']]] });
    expect(lose?.asks?.fields).toMatchObject([
      { name: 'lost_reason_id', type: 'many2one', relation: 'crm.lost.reason', required: true },
      { name: 'note', type: 'text', required: false },
    ]);
  });

  it('CRM-3 asks why something was lost, and the note is said in the discussion', async () => {
    const ids = [await world().lead(), await world().lead()];
    const lost_reason_id = await reason();
    await world().call(ids, 'lose', { lost_reason_id: String(lost_reason_id), note: 'They went with **Acme**.' });
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

  it('CRM-3 says what is missing or wrong at the name of the answer, and nothing happens', async () => {
    const id = await world().lead();
    const refused = async (vals: Record<string, string>) =>
      world()
        .call([id], 'lose', vals)
        .then(
          () => 'nothing',
          (error) => `${error.code} ${Object.keys(error.details.fields ?? {}).join()}`,
        );
    expect(await refused({})).toBe('VALIDATION_ERROR lost_reason_id');
    expect(await refused({ lost_reason_id: 'soon' })).toBe('VALIDATION_ERROR lost_reason_id');
    expect(await refused({ lost_reason_id: '999999' })).toBe('VALIDATION_ERROR lost_reason_id');
    expect(await refused({ reason: '1' })).toBe('INVALID_ARGS ');
    expect(await world().read(id, ['state'])).toMatchObject({ state: 'open' });
  });

  it('CRM-5 asks which lead stays, of those chosen, and proposes the furthest', async () => {
    const near = await world().lead({ name: 'Near', stage_id: world().stages.new, type: 'lead' });
    const far = await world().lead({ name: 'Far', stage_id: world().stages.proposition });
    expect(await proposal('merge', [near, far])).toMatchObject({
      value: {
        keep: far,
        comparison: {
          keep: far,
          records: [
            { id: near, name: 'Near' },
            { id: far, name: 'Far' },
          ],
        },
      },
      domain: { keep: [['id', 'in', [near, far]]] },
    });
    const answer = await world().call([near, far], 'merge', { keep: String(near) });
    expect(answer).toEqual({ redirect: `/web?model=crm.lead&view_type=form&id=${near}` });
    expect(await world().read(near, ['name'])).toMatchObject({ name: 'Near' });
    const others = [await world().lead(), await world().lead()];
    await expect(world().call(others, 'merge', { keep: String(near) })).rejects.toMatchObject({
      code: 'USER_ERROR',
      message: /one of those chosen/,
    });
  });
});

describe('a page of settings', () => {
  it('WSP-26 what it asked is seen by who was asked, tells nobody and is swept away', async () => {
    const { kernel, work, admin, person } = world();
    const mine = await person('Aiko', ['crm.group_manager']);
    const other = await person('Lena', ['crm.group_manager']);
    const { result: id, changeSet } = await kernel.transact(mine, (env) => env.model('crm.settings').create({}));
    expect(changeSet ?? null).toBeNull();
    const seen = (actor: typeof mine) => work((env) => env.model('crm.settings').searchRead([], ['id']), actor);
    expect(await seen(mine)).toEqual([{ id }]);
    expect(await seen(other)).toEqual([]);
    expect(await seen(admin)).toEqual([]);
    const taken = work((env) => env.model('crm.settings').write([id], { new_type: 'lead' }), other);
    await expect(taken).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    const sweep = async () => {
      const job = systemJobs.find(({ name }) => name === 'clean_drafts');
      await job?.runAsSystem(kernel, new AbortController().signal);
      return seen(mine);
    };
    expect(await sweep()).toEqual([{ id }]);
    await kernel.database.execute(sql`update crm_settings set write_date = now() - interval '2 days'`);
    expect(await sweep()).toEqual([]);
  });
});
