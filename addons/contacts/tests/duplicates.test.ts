import { describe, expect, it } from 'vitest';
import { contactsWorld } from './contacts-world.ts';

const world = contactsWorld();
const manager = () => world().person(`Boss ${Math.random()}`, ['contacts.group_manager']);

const make = (...rows: Record<string, unknown>[]) =>
  world().work((env) => env.model('core.partner').createMany(rows as never));
interface Group {
  readonly id: number;
  readonly partner_ids: readonly number[];
}
const openGroups = async (): Promise<readonly Group[]> => {
  const groups = await world().work((env) =>
    env
      .model('core.partner.duplicate')
      .searchRead(
        [['state', '=', 'open']],
        ['partner_ids', 'same_email', 'same_phone', 'same_name', 'keep_id', 'partner_count'],
        { order: 'id' },
      ),
  );
  return groups.map((group) => ({ ...group, partner_ids: (group.partner_ids as number[]).toSorted((a, b) => a - b) }));
};
const scan = async () => {
  await world().work(async (env) => env.model('core.partner.duplicate').call([], 'scan'), await manager());
};

describe('finding duplicates', () => {
  it('CON-2 contacts with the same e-mail, phone or name are found, also through their lines', async () => {
    const [a, b, c, d] = await make(
      { name: 'Ada Lovelace', email: 'ada@engine.example' },
      { name: 'A. Lovelace', email_ids: [['create', { address: 'ADA@engine.example', kind: 'private' }]] },
      { name: 'Lovelace, Ada', phone: '+44 20 7946 0101' },
      { name: 'Charles Babbage', phone: '020 7946 0999' },
    );
    await scan();
    const groups = await openGroups();
    expect(groups).toHaveLength(1);
    expect(groups[0]).toMatchObject({
      partner_ids: [a, b, c],
      same_email: true,
      same_phone: false,
      same_name: true,
      keep_id: a,
      partner_count: 3,
    });
    expect(d).toBeDefined();
  });

  it('CON-3 a scan keeps what is known, adds what is new and drops what is no longer alike', async () => {
    const [before] = (await openGroups()) as [Group];
    const [e, f] = await make({ name: 'Grace Hopper' }, { name: 'grace hopper' });
    await world().work((env) =>
      env.model('core.partner').write([before.partner_ids[1] as number], { email_ids: [['clear']] }),
    );
    await scan();
    const after = await openGroups();
    expect(after.map((group) => group.partner_ids)).toEqual([
      [before.partner_ids[0], before.partner_ids[2]],
      [e, f],
    ]);
    await scan();
    expect(await openGroups()).toEqual(after);
  });

  it('CON-3 what somebody said is not the same stays out until it is reopened', async () => {
    const groups = await openGroups();
    const ids = groups.map(({ id }) => id);
    await world().work((env) => env.model('core.partner.duplicate').call(ids, 'ignore'));
    await scan();
    expect(await openGroups()).toEqual([]);
    await world().work((env) => env.model('core.partner.duplicate').call(ids.slice(0, 1), 'reopen'));
    expect(await openGroups()).toHaveLength(1);
    const merge = world().work((env) => env.model('core.partner.duplicate').call(ids.slice(1), 'merge'));
    await expect(merge).rejects.toMatchObject({ code: 'USER_ERROR' });
  });

  it('CON-3 a found group is merged from the list', async () => {
    const [group] = (await openGroups()) as [Group];
    const [keep, gone] = group.partner_ids as [number, number];
    await world().work((env) => env.model('core.partner.duplicate').call([group.id], 'merge'));
    const left = await world().work((env) => env.model('core.partner').search([['id', 'in', [keep, gone]]]));
    expect(left).toEqual([keep]);
    const [after] = await world().work((env) =>
      env.model('core.partner.duplicate').read([group.id], ['state', 'partner_ids']),
    );
    expect(after).toMatchObject({ state: 'merged', partner_ids: [keep] });
  });

  it('CON-2 the contacts that seem to be the same as one open in a list', async () => {
    const [one, two] = await make(
      { name: 'Twin One', phone: '+1 555 010 2030' },
      { name: 'Twin Two', mobile: '+15550102030' },
    );
    const answer = await world().work((env) => env.model('core.partner').call([one as number], 'show_duplicates'));
    const url = new URL((answer as { redirect: string }).redirect, 'http://x');
    expect(JSON.parse(url.searchParams.get('domain') ?? '')).toEqual([['id', 'in', [one, two]]]);
    const [alone] = await make({ name: 'Quite Alone' });
    await expect(
      world().work((env) => env.model('core.partner').call([alone as number], 'show_duplicates')),
    ).rejects.toMatchObject({ code: 'USER_ERROR' });
  });

  it('CON-5 users neither scan nor merge', async () => {
    const user = await world().person('Uli', ['contacts.group_user']);
    const [one, two] = await make({ name: 'Same Name' }, { name: 'Same Name' });
    const calls = [
      world().work((env) => env.model('core.partner.duplicate').call([], 'scan'), user),
      world().work((env) => env.model('core.partner').call([one as number, two as number], 'merge'), user),
    ];
    for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  });
});
