import { parseDsn, type Sql, sql, writeDump } from '@kontor/database';
import { assembleRegistry, defineModel, type Env, fields, findRecord } from '@kontor/orm';
import { createTestKernel, type TestKernel, undeclaredPersonalFields } from '@kontor/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';

const modules = ['calendar_crm', 'calendar_project', 'contacts', 'invoice', 'sale_crm', 'sale_project'];
let world: TestKernel;
let ada: number;
let order: number;
let changeSet: number | null;
let request: number;

/** Everything of hers. Nothing of it stands anywhere in the end. */
const hers = {
  name: 'Adeline Quistorp',
  email: 'Adeline.Quistorp@mail.example',
  phone: '+49 441 555 0199',
  mobile: '+49 (171) 555-0142',
  website: 'https://quistorp.example/adeline',
  street: 'Lindenufer 77b',
  street2: 'Hinterhaus Quergang',
  zip: 'D-99917',
  city: 'Quellenstedt',
  vat: 'DE998877665',
  comment: '<p>Likes oysters</p>',
  job_position: 'Chief of Lighthouses',
};
const further = ['aq@lighthouse.example', '0441 777 2301', 'Prefers calls at night', 'Ask about her knee', 'knee.txt'];
/** What stands in files on records of others, as bytes. */
const inFiles = ['Signed by her', 'Her drawing', 'Her papers', 'Rang Adeline\u00a0Quistorp about the Fähre'];
const office = '+49 30 1000 200';

beforeAll(async () => {
  world = await createTestKernel({ modules });
  await world.work(seed);
  const done = await world.kernel.transact(world.admin, (env) => change(env.sudo()));
  changeSet = done.changeSet;
});
afterAll(() => world.close());

async function seed(env: Env): Promise<void> {
  const server = env.sudo();
  ada = await env.model('core.partner').create({
    ...hers,
    image: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    email_ids: [['create', { address: further[0] }]],
    phone_ids: [
      ['create', { number: further[1] }],
      ['create', { number: office }],
    ],
  });
  const bruno = await env.model('core.partner').create({ name: 'Bruno Bert', phone: office });
  await env.model('crm.lead').create({ name: `Lamps for ${hers.name}`, partner_id: ada, description: further[2] });
  await env.model('crm.lead').create({ name: 'By form', contact_name: 'A. Q.', email_from: hers.email.toLowerCase() });
  const line = { name: 'Lamp', price_unit: '120', quantity: 2, tax_ids: [] };
  order = await env
    .model('sale.order')
    .create({ partner_id: ada, note: `Ring ${hers.mobile}`, line_ids: [['create', line]] });
  await env.model('sale.order').call([order], 'confirm');
  const invoice = await env.model('invoice.invoice').create({ partner_id: ada, line_ids: [['create', line]] });
  await env.model('invoice.invoice').call([invoice], 'post');
  const said = (model: string, id: number, body: string) =>
    server.model('mail.message').create({ model, res_id: id, kind: 'comment', body });
  const attached = (message: number, name: string, words: string, mimetype = 'application/pdf') => {
    const data = Buffer.from(words).toString('base64');
    return server.model('mail.message.file').create({ message_id: message, name, mimetype, size: 4, data });
  };
  const message = await said('core.partner', ada, `<p>${further[3]}</p>`);
  await attached(message, further[4] as string, 'knee', 'text/plain');
  const onOrder = await said('sale.order', order, `<p>${hers.name} wrote from ${hers.email}, or 0049 441 5550199</p>`);
  const onBruno = await said('core.partner', bruno, '<p>Papers</p>');
  const [signed = '', drawn = '', papers = '', told = ''] = inFiles;
  await server.model('portal.link').create({
    ...{ model: 'sale.order', res_id: order, partner_id: ada, recipient: hers.email },
    ...{ secret_hash: 'ab'.repeat(32), expires_at: '2030-01-01T00:00:00Z' },
  });
  await server.model('portal.signature').create({
    ...{ model: 'sale.order', res_id: order, partner_id: ada, name: hers.name, address: '192.0.2.77' },
    ...{
      signed_at: '2026-01-01T00:00:00Z',
      number: 1,
      sha256: 'cd'.repeat(32),
      content: { note: `Ring ${hers.mobile}` },
    },
    picture: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  });
  const type_id = await findRecord(env, 'mail.type_todo');
  const mailbox = await server
    .model('mail.mailbox')
    .create({ name: 'Office', address: 'office@kontor.test', company_id: world.admin.companyId });
  const letter = `From: ${hers.name} <${hers.email}>\r\nSubject: Oysters\r\n\r\nRing ${hers.mobile}`;
  await server.model('mail.incoming').create({
    ...{
      mailbox_id: mailbox,
      company_id: world.admin.companyId,
      fingerprint: 'f',
      state: 'unsorted',
      size: letter.length,
    },
    ...{ raw: Buffer.from(letter).toString('base64'), sender_name: hers.name, sender_email: hers.email.toLowerCase() },
    ...{ subject: `From ${hers.name}`, body: `<p>Ring ${hers.mobile}</p>` },
  });
  await server.model('mail.conversation').create({
    ...{ model: 'sale.order', res_id: order, mailbox_id: mailbox, company_id: world.admin.companyId },
    ...{ subject: `From ${hers.name}`, sender_name: hers.name, sender_email: hers.email.toLowerCase() },
    ...{ preview: `Ring ${hers.mobile}`, last_at: env.now.toISOString(), received_at: env.now.toISOString() },
  });
  await server.model('calendar.event').create({ name: 'Tasting', invited_by: hers.email.toLowerCase() });
  const activity = { model: 'core.partner', res_id: ada, type_id, name: further[2], note: further[3] };
  await server.model('mail.activity').create(activity);
  const work = await server
    .model('mail.activity')
    .create({ ...activity, res_id: bruno, name: 'Ask Bruno', note: null });
  const company = world.admin.companyId;
  const account = { login: hers.email, email: hers.email, name: hers.name, company_id: company, active: false };
  const user = await server.model('core.user').create(account);
  const drawing = await attached(onBruno, 'plan.pdf', drawn);
  await env.db.execute(sql`update mail_message_file set create_uid = ${user}::int4 where id = ${drawing}::int4`);
  await attached(onOrder, 'contract.pdf', signed);
  await attached(onBruno, 'CV_Quistorp-Adeline.pdf', papers);
  await attached(onBruno, 'notes.csv', told, 'text/csv');
  await attached(onBruno, 'Adeline_Quistorp.pdf', 'Bruno asks');
  await attached(onBruno, 'mine.txt', 'Nothing of that', 'text/plain');
  await server.model('mail.activity').write([work], { user_id: user });
  await server
    .model('sys.session')
    .create({ user_id: user, token_hash: 'x'.repeat(64), address: '203.0.113.77', user_agent: 'Lighthouse/7' });
  await server.model('core.leave').create({ user_id: user, name: 'Knee operation', date_from: '2026-11-02' });
  await server.model('sys.login.attempt').create({ login: hers.email.toLowerCase(), address: '203.0.113.77' });
  const mail = { recipient: hers.email, subject: 'Your lamps', body_text: `Dear ${hers.name}`, message_id: 'm-1' };
  await server.model('mail.queue').create(mail);
  const page = { name: 'Quistorp.pdf', data: Buffer.from(`For ${hers.name}`).toString('base64') };
  const sent = { order_id: order, version: 1, recipient: hers.email, subject: 'Your lamps', body: `Dear ${hers.name}` };
  await server.model('sale.order.sent').create({ ...sent, ...page, amount_total: '12' });
  const archived = { invoice_id: invoice, name: 'i.pdf', data: page.data.slice(0, 4), sha256: 'x' };
  const { recipient, subject, body } = sent;
  await server.model('invoice.document').create({ ...archived, recipient, subject, body });
  const account_id = await server.model('bank.account').create({ name: 'Giro', iban: 'DE1' });
  const statement_id = await server.model('bank.statement').create({ name: '1', account_id, total: '12' });
  const transfer = { date: '2026-11-05', amount: '12', batch_key: 'x', partner_id: ada, iban: 'DE77123' };
  await server
    .model('bank.entry')
    .create({ statement_id, account_id, ...transfer, party: hers.name, text: hers.email });
  await server.model('bank.payer').create({ partner_id: ada, iban: 'DE77123' });
  await server.model('sys.log').create({ at: env.now.toISOString(), level: 'warn', message: `${hers.email} bounced` });
  // What an uninstalled module left behind.
  await env.db.execute(sql`alter table core_partner add column shoe_size text`);
  await env.db.execute(sql`update core_partner set shoe_size = 'Size 38 narrow' where id = ${ada}::int4`);
  await env.db.execute(sql`
    create table parked_visit (id int4, partner_id int4 references core_partner on delete set null, note text)`);
  await env.db.execute(sql`insert into parked_visit values (1, ${ada}::int4, 'Came by boat')`);
}

/** A change whose old values are kept for undo and in the trail. */
async function change(env: Env): Promise<void> {
  await env.model('core.partner').write([ada], { name: `${hers.name} ` });
  await env.model('core.partner').write([ada], { street: 'Lindenufer 78', name: 'Adeline Quistorp-Bey' });
  await env.model('core.partner').write([ada], { street: hers.street, name: hers.name });
}

async function dump(): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of writeDump(parseDsn(world.dsn), { of: 'a test' })) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8').toLowerCase();
}

/** As bytes stand in a dump. */
const inBytes = (words: string) => Buffer.from(words).toString('hex');

const traces = () => {
  const values = [...Object.values(hers).map((text) => text.replaceAll(/<[^>]*>/g, '')), ...further];
  return [
    ...values,
    ...['Adeline Quistorp-Bey', 'Lindenufer 78', '203.0.113.77', 'Lighthouse/7', 'Knee operation', 'Size 38'],
    ...['by boat', '5550199', 'DE77123'],
    ...['plan.pdf', 'contract.pdf', 'CV_Quistorp', 'notes.csv'],
    ...inFiles.map(inBytes),
  ];
};

async function check(): Promise<Record<string, unknown> | undefined> {
  return world.work(async (env) => {
    const id = await env.model('sys.audit.check').create({});
    return (await env.model('sys.audit.check').read([id], ['state', 'broken_at']))[0];
  });
}

it('PRS-1 who is in charge sees what is held of a person in every app, and nobody else does', async () => {
  const user = await world.person('Curious Carl', ['base.group_user', 'contacts.group_manager']);
  const ask = (env: Env) => env.model('core.partner').call([ada], 'personal_data');
  await expect(world.work(ask, user)).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  const answer = (await world.work(ask)) as { redirect: string };
  request = Number(new URL(answer.redirect, 'http://x').searchParams.get('id'));
  const [read] = await world.work((env) =>
    env
      .model('sys.personal.request')
      .read([request], ['name', 'shared', { finding_ids: ['model_label', 'why', 'fate'] }] as never),
  );
  expect(read).toMatchObject({ name: hers.name, shared: office.replaceAll(/\D/g, '') });
  const { registry } = world.kernel;
  const personal = [...registry.models.values()].filter(
    (model) => !model.isTransient && [...model.fields.values()].some(({ spec }) => spec.personal === true),
  );
  const found = new Set(((read?.finding_ids ?? []) as { model_label: string }[]).map((each) => each.model_label));
  // A model that is new and holds something of people is seeded above.
  expect([...found].sort()).toEqual([...new Set(personal.map(({ label }) => label))].sort());
});

it('PRS-7 files on records of others that may be hers are listed, looked at and ticked', async () => {
  const read = async () => {
    const [row] = await world.work((env) =>
      env
        .model('sys.personal.request')
        .read([request], [{ file_ids: ['name', 'record', 'reason', 'is_theirs'] }] as never),
    );
    return (row?.file_ids ?? []) as { id: number; name: string; record: string; reason: string; is_theirs: boolean }[];
  };
  const listed = await read();
  expect(listed.map(({ name, record, reason }) => [name, record.split(':')[0], reason])).toEqual([
    ['plan.pdf', 'Contact', 'added'],
    ['contract.pdf', 'Sales order', 'linked'],
    ['CV_Quistorp-Adeline.pdf', 'Contact', 'named'],
    ['notes.csv', 'Contact', 'text'],
    ['Adeline_Quistorp.pdf', 'Contact', 'named'],
  ]);
  expect(listed.filter((file) => file.is_theirs)).toEqual([]);
  const write = (values: object) => (env: Env) =>
    env
      .outside(true)
      .model('sys.personal.request')
      .write([request], { file_ids: listed.slice(0, 4).map(({ id }) => ['update', id, values]) });
  await expect(world.work(write({ res_id: 1 }))).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  await world.work(write({ is_theirs: true }));
  expect((await read()).filter((file) => file.is_theirs)).toHaveLength(4);
  const look = await send({ file: String(listed[3]?.id) });
  expect([look.body.toString('utf8'), look.exported]).toEqual([
    inFiles[3],
    { model: 'mail.message.file', ids: [expect.any(Number)] },
  ]);
  await expect(send({ file: '999999999' })).rejects.toMatchObject({ code: 'USER_ERROR' });
});

/** What the route of the file answers. */
async function send(query: Record<string, string>): Promise<{ body: Buffer; exported: unknown }> {
  const routes = world.kernel.loaded.definitions.get('base')?.routes ?? [];
  const [route] = routes.filter(({ path }) => path.includes('personal-data'));
  const handler = route?.handler as unknown as (given: object) => Promise<{ body: Buffer; exported: unknown }>;
  return world.kernel.read(world.admin, (env) => handler({ env, params: { id: String(request) }, query }));
}

it('PRS-2 PRS-7 it is exported as one file, to be read by people and by programs, and the trail tells it', async () => {
  const file = await send({});
  expect(file.exported).toEqual({ model: 'core.partner', ids: [ada] });
  const content = file.body.toString('utf8');
  expect(file.body.subarray(0, 2).toString()).toBe('PK');
  expect(content).toContain('personal-data.html');
  for (const value of [...Object.values(hers).slice(0, 10), ...further]) {
    expect(content.split(value).length).toBeGreaterThan(2);
  }
  for (const words of ['knee', ...inFiles]) expect(content).toContain(words);
  expect(content).not.toContain('Bruno asks');
});

it('PRS-3 it is erased only with the name typed again, and a dry run changes nothing', async () => {
  const erase = (name: string) => (env: Env) => env.model('sys.personal.request').call([request], 'erase', { name });
  await expect(world.work(erase('Adeline'))).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  const counts = async () => {
    const whole = await dump();
    return traces().map((value) => [value, whole.split(value.toLowerCase()).length]);
  };
  const before = await counts();
  const tried = await world.kernel.transact(world.admin, erase(hers.name), { isDryRun: true });
  expect(JSON.stringify(tried.changes)).not.toContain('Quistorp');
  expect(await counts()).toEqual(before);
  const active = (env: Env, isActive: boolean) =>
    env
      .sudo()
      .model('core.user')
      .search([['login', '=', hers.email.toLowerCase()]])
      .then((ids) => env.sudo().model('core.user').write(ids, { active: isActive }));
  await world.work((env) => active(env, true));
  await expect(world.work(erase(hers.name))).rejects.toThrow('can still sign in here');
  await world.work((env) => active(env, false));
});

it('PRS-4 PRS-7 afterwards nothing of it is found anywhere, and what was sold is there', async () => {
  expect((await check())?.state).toBe('whole');
  const before = await dump();
  // Its sessions ended with the account, and a phone is written in many ways.
  for (const value of traces().filter((text) => text !== '5550199' && text !== 'Lighthouse/7'))
    expect([value, before.includes(value.toLowerCase())]).toEqual([value, true]);
  await world.work((env) => env.model('sys.personal.request').call([request], 'erase', { name: ' adeline quistorp' }));
  const after = await dump();
  expect(traces().filter((value) => after.includes(value.toLowerCase()))).toEqual([]);
  expect(after).toContain(office);
  expect(after).toContain('ask bruno');
  // What nobody said is hers stays, without her in its name.
  expect([inBytes('Bruno asks'), inBytes('Nothing of that')].filter((each) => !after.includes(each))).toEqual([]);
  const left = await world.work((env) =>
    env.sudo().model('mail.message.file').searchRead([], ['name'], { order: 'id' }),
  );
  expect(left.map(({ name }) => name)).toEqual(['[…].pdf', 'mine.txt']);
  const [sold] = await world.work((env) =>
    env.model('sale.order').read([order], ['state', 'amount_total', 'partner_id', 'partner_id.active']),
  );
  expect({ ...sold, amount_total: String(sold?.amount_total) }).toMatchObject({
    state: 'sale',
    amount_total: '240',
    partner_id: ada,
    'partner_id.active': false,
  });
});

it('PRS-5 the trail is whole without the values, finds any other change of them, and nothing is taken back', async () => {
  expect((await check())?.state).toBe('whole');
  const { database } = world.kernel;
  const isCovered = sql`exists (select from sys_audit e where e.kind = 'erase' and e.values -> 'entries' ? a.seq::text)`;
  const first = async (where: Sql) => {
    const found = sql`select min(a.seq) as seq from sys_audit a where a.kind <> 'erase' and ${where}`;
    return Number((await database.query<{ seq: number }>(found))[0]?.seq);
  };
  for (const seq of [await first(isCovered), await first(sql`not ${isCovered}`)]) {
    const [{ values } = { values: '' }] = await database.query<{ values: string }>(
      sql`select values::text as values from sys_audit where seq = ${seq}::int4`,
    );
    await database.execute(sql`update sys_audit set values = '{"name": 1}' where seq = ${seq}::int4`);
    expect(await check()).toMatchObject({ state: 'broken', broken_at: seq });
    await database.execute(sql`update sys_audit set values = ${values}::jsonb where seq = ${seq}::int4`);
  }
  expect((await check())?.state).toBe('whole');
  const undo = world.work((env) => env.model('sys.change.set').call([changeSet as number], 'revert'));
  await expect(undo).rejects.toMatchObject({ code: 'USER_ERROR' });
});

it('PRS-6 a field that looks personal and does not say whether it is, is found', () => {
  const { registry } = world.kernel;
  expect(registry.modules.flatMap((module) => undeclaredPersonalFields(registry, module))).toEqual([]);
  const guest = defineModel('inn.guest', {
    fields: {
      home_street: fields.char(),
      email: fields.char({ personal: true }),
      phone_code: fields.char({ personal: false }),
      mailbox_size: fields.integer(),
    },
  });
  const inn = assembleRegistry([{ module: 'inn', definitions: [guest] }]);
  expect(undeclaredPersonalFields(inn, 'inn')).toEqual(['inn.guest.home_street']);
});

it('PRS-8 a contact made with somebody’s address reaches nothing in companies that its maker does not have', async () => {
  const words = '<p>Ring Victor Steen at victor@steen.example</p>';
  const theirs = await world.work(async (env) => {
    const server = env.sudo();
    const currency_id = await findRecord(env, 'base.EUR');
    const company_id = await server.model('core.company').create({ name: 'Steen Ltd.', currency_id });
    const lead = { name: 'Boats', email_from: 'victor@steen.example', contact_name: 'Victor Steen', company_id };
    const id = await server.model('crm.lead').create(lead);
    await server.model('mail.message').create({ model: 'crm.lead', res_id: id, kind: 'comment', body: words });
    return { id, company_id };
  });
  const groups = ['base.group_user', 'contacts.group_manager', 'base.group_privacy'];
  const officer = await world.person('Olga Officer', groups, { company_id: world.admin.companyId });
  const ask = async () => {
    const contact = await world.work(
      (env) => env.model('core.partner').create({ name: 'Victor Steen', email: 'victor@steen.example' }),
      officer,
    );
    const opened = await world.work((env) => env.model('core.partner').call([contact], 'personal_data'), officer);
    const id = Number(new URL((opened as { redirect: string }).redirect, 'http://x').searchParams.get('id'));
    const [read] = await world.work(
      (env) =>
        env.model('sys.personal.request').read([id], ['shared', { finding_ids: ['model_label', 'why'] }] as never),
      officer,
    );
    return { id, shared: String(read?.shared), found: read?.finding_ids as { model_label: string; why: string }[] };
  };
  const { id, shared, found } = await ask();
  expect(found.filter(({ why }) => why === 'address')).toEqual([]);
  expect(shared).toContain('Other companies and texts are not searched');
  await world.work(
    (env) => env.model('sys.personal.request').call([id], 'erase', { name: 'Victor Steen' } as never),
    officer,
  );
  const kept = await world.work((env) =>
    env.sudo().model('crm.lead').read([theirs.id], ['email_from', 'contact_name']),
  );
  expect(kept).toMatchObject([{ email_from: 'victor@steen.example', contact_name: 'Victor Steen' }]);
  const said = await world.kernel.database.query(sql`
    select body from mail_message where model = 'crm.lead' and res_id = ${theirs.id} and body = ${words}`);
  expect(said).toHaveLength(1);
  const all = [world.admin.companyId as number, theirs.company_id];
  await world.work((env) =>
    env
      .sudo()
      .model('core.user')
      .write([officer.uid], { company_ids: [['set', all]] }),
  );
  const whole = (await world.kernel.actor(officer.uid)) as typeof officer;
  expect(whole.companyIds.toSorted()).toEqual(all.toSorted());
});
