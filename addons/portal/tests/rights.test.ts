import { typedEnv } from '@kontor/orm';
import { createTestKernel, type TestKernel } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountOf } from '../accounts/account.ts';
import { hashOf, newSecret } from '../links/make-link.ts';

let world: TestKernel;
let editor: TestKernel['admin'];
let firm: number;
let other: number;
beforeAll(async () => {
  world = await createTestKernel({ modules: ['portal', 'contacts'] });
  editor = await world.person('Lena', ['contacts.group_user']);
  [firm, other] = await world.act(async (env) => {
    const partners = env.model('core.partner');
    const make = (name: string) => partners.create({ name, is_company: true });
    return [await make('Hotel'), await make('Bank')] as const;
  });
});
afterAll(() => world.close());

/** A contact of the firm with an account. */
const account = () =>
  world.act(async (env) => {
    const partners = env.sudo().model('core.partner');
    return partners.create({ name: 'Ines', email: 'ines@hotel.test', parent_id: firm, has_portal: true });
  });
const hasAccount = async (id: number) =>
  (await world.act((env) => env.sudo().model('core.partner').read([id], ['has_portal'])))[0]?.has_portal;

describe('PTL-14 who edits contacts does not come to see the documents of customers', () => {
  it('PTL-14 only managers of contacts give an account', async () => {
    const own = await world.act(
      (env) => env.model('core.partner').create({ name: 'Lena', email: 'lena@home.test', parent_id: firm }),
      editor,
    );
    const invited = world.act((env) => env.model('core.partner').call([own], 'invite_to_portal'), editor);
    await expect(invited).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    expect(await hasAccount(own)).toBe(false);
  });

  it('PTL-14 another address or company ends an account until the next invitation', async () => {
    for (const [values, stays] of [
      [{ phone: '+49 30 1234', email: 'ines@hotel.test', parent_id: firm }, true],
      [{ email: 'lena@home.test' }, false],
      [{ parent_id: other }, false],
    ] as const) {
      const id = await account();
      await world.act((env) => env.model('core.partner').write([id], values), editor);
      expect([values, await hasAccount(id)]).toEqual([values, stays]);
    }
  });

  it('PTL-14 a contact that is merged into another does not bring its sign-in along', async () => {
    const [mine, theirs] = [await account(), await account()];
    await world.act(async (env) => {
      const partners = env.sudo().model('core.partner');
      await partners.write([theirs], { email: 'paul@bank.test', parent_id: other });
      await partners.write([theirs], { has_portal: true });
    });
    const secret = newSecret();
    const [kind, expires_at] = ['session' as const, new Date(Date.now() + 600_000).toISOString()];
    const link = { kind, expires_at, partner_id: mine, recipient: 'ines@hotel.test', secret_hash: hashOf(secret) };
    const opened = () => world.work((env) => accountOf(typedEnv(env), 'session', secret));
    await world.act((env) => env.sudo().model('portal.link').create(link));
    expect(await opened()).toMatchObject({ partner_id: mine });
    await world.work((env) => env.model('core.partner').call([mine, theirs], 'merge', { keep: theirs }));
    expect(await hasAccount(theirs)).toBe(true);
    expect(await opened()).toBeNull();
  });
});
