import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { letter, type MailboxWorld, mailboxWorld } from './mailbox-world.ts';

let world: MailboxWorld;
beforeAll(async () => {
  world = await mailboxWorld();
});
afterAll(() => world.close());

describe('INM-4 unsorted', () => {
  const unsortedRow = (subject: string) => world.take(letter({ Subject: subject }));

  it('INM-4 a person files it on a record they may write, which keeps no original; once', async () => {
    const clerk = await world.person('Clerk', ['base.group_user', 'mail.group_inbox', 'crm.group_user']);
    const id = await world.lead({ user_id: clerk.uid });
    const row = await unsortedRow('Lost');
    await world.work((env) => env.model('mail.incoming').call([row.id], 'file', { record: `crm.lead,${id}` }), clerk);
    expect(await world.messages('crm.lead', id)).toMatchObject([{ subject: 'Lost', author_id: null }]);
    expect(await world.read('mail.incoming', row.id, ['state', 'reason', 'raw'])).toMatchObject({
      state: 'filed',
      reason: 'person',
      raw: null,
    });
    const again = world.work(
      (env) => env.model('mail.incoming').call([row.id], 'file', { record: `crm.lead,${id}` }),
      clerk,
    );
    await expect(again).rejects.toThrow('This e-mail is filed already.');
  });

  it('INM-4 not on a record that they may not write, nor on one of another company, nor without the group', async () => {
    const clerk = await world.person('Second clerk', ['base.group_user', 'mail.group_inbox', 'crm.group_user']);
    const row = await unsortedRow('Hidden');
    const file = (record: string, who = clerk) =>
      world.work((env) => env.model('mail.incoming').call([row.id], 'file', { record }), who);
    const foreign = await world.lead({ user_id: world.admin.uid });
    await expect(file(`crm.lead,${foreign}`)).rejects.toThrow('A record rule does not let you read this Lead.');
    await expect(file('sys.cron,1')).rejects.toThrow('E-mails can be filed on records with a discussion.');
    const company = await world.addCompany('Third');
    const theirs = await world.lead({ company_id: company, team_id: null });
    await world.server((env) => env.model('core.user').write([world.admin.uid], { company_ids: [['link', company]] }));
    const admin = (await world.kernel.actor(world.admin.uid)) as typeof world.admin;
    await expect(
      file(`crm.lead,${theirs}`, { ...admin, shownCompanyIds: [admin.companyId as number, company] }),
    ).rejects.toThrow('The record belongs to another company than Hidden.');
    const seller = await world.person('Seller', ['base.group_user', 'crm.group_user']);
    await expect(world.work((env) => env.model('mail.incoming').searchRead([]), seller)).rejects.toThrow(
      'You may not read Incoming e-mail records.',
    );
  });

  it('INM-4 a person makes a lead of it, with their own rights', async () => {
    const clerk = await world.person('Third clerk', ['base.group_user', 'mail.group_inbox', 'crm.group_user']);
    const row = await unsortedRow('New business');
    const answer = await world.work((env) => env.model('mail.incoming').call([row.id], 'create_lead'), clerk);
    const filed = await world.read('mail.incoming', row.id, ['model', 'res_id', 'state']);
    expect(filed).toMatchObject({ model: 'crm.lead', state: 'filed' });
    expect(answer?.redirect).toContain(`id=${filed.res_id}`);
    expect(await world.read('crm.lead', filed.res_id as number, ['name', 'user_id'])).toMatchObject({
      name: 'New business',
      user_id: clerk.uid,
    });
    const reader = await world.person('Reader', ['base.group_user', 'mail.group_inbox']);
    const other = await unsortedRow('Not theirs');
    const refused = world.work((env) => env.model('mail.incoming').call([other.id], 'create_lead'), reader);
    await expect(refused).rejects.toThrow('You may not create Lead records.');
  });

  it('INM-4 those of another company are not seen', async () => {
    const company = await world.addCompany('Fourth');
    const box = await world.addMailbox({ address: 'fourth@kontor.test', company_id: company });
    const row = await world.take(letter({ Subject: 'Theirs' }), box);
    const clerk = await world.person('Fourth clerk', ['base.group_user', 'mail.group_inbox']);
    expect(await world.work((env) => env.model('mail.incoming').search([['id', '=', row.id]]), clerk)).toEqual([]);
  });
});
