import { sql } from '@kontor/database';
import { type Actor, typedEnv } from '@kontor/orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { markdownToHtml, mentionedIn } from '../chatter/markdown.ts';
import { templateRoutes } from '../templates/routes.ts';
import { fillTemplate, templatesFor } from '../templates/use-template.ts';
import { type MailboxWorld, mailboxWorld } from './mailbox-world.ts';

let world: MailboxWorld;
let ada: Actor;
let editor: Actor;
beforeAll(async () => {
  world = await mailboxWorld({
    modules: ['contacts', 'invoice'],
    env: {
      ...{ KONTOR_SMTP_HOST: '127.0.0.1', KONTOR_SMTP_PORT: '1', KONTOR_SMTP_TLS: 'none' },
      KONTOR_SMTP_FROM: 'office@kontor.test',
    },
  });
  ada = await world.person('Ada Author', [
    'base.group_user',
    'crm.group_user',
    'contacts.group_user',
    'sale.group_user',
  ]);
  editor = await world.person('Ed Editor', ['base.group_user', 'crm.group_user', 'mail.group_templates']);
});
afterAll(() => world.close());

const usual = {
  name: 'Offer',
  model: 'crm.lead',
  lang: 'en_US',
  subject: 'About {name}',
  body: 'Dear {partner_id.name},',
};
const write = (values: object, who = ada) =>
  world.work((env) => env.model('mail.template').create({ ...usual, ...values }), who);
const fill = (template: number, id: number, who = ada, model = 'crm.lead') =>
  world.work((env) => fillTemplate(typedEnv(env), { template, model, id }), who);
const contact = (values: object) =>
  world.server((env) => env.model('core.partner').create({ name: 'Vera', ...values }));
const queued = () =>
  world.kernel.database.query<{ recipient: string; subject: string; body_text: string; body_html: string }>(
    sql`select recipient, subject, body_text, body_html from mail_queue order by id`,
  );

it('TPL-1 a field that does not exist, is no single value or is hidden from its author is refused where it is written', async () => {
  const problem = (values: object, who = ada) =>
    write(values, who).then(
      () => null,
      (error) => JSON.parse(JSON.stringify(error.details.fields)),
    );
  expect(await problem({ body: 'Dear {partner_id.nmae},' })).toEqual({
    body: ['Contact has no field {partner_id.nmae} that can be inserted. Did you mean {partner_id.name}?'],
  });
  expect(await problem({ subject: '{partner_id.street.name}' })).toEqual({
    subject: ['Contact has no field {partner_id.street.name} that can be inserted.'],
  });
  expect(await problem({ model: 'sale.order', body: '{invoice_count}' })).toEqual({
    body: [expect.stringContaining('has no field {invoice_count} that can be inserted.')],
  });
  expect(await problem({ body: '{user_id.password}' })).toEqual({
    body: [expect.stringContaining('has no field {user_id.password} that can be inserted.')],
  });
  expect(await problem({ body: '{activity_ids} {partner_id.image}' })).toMatchObject({
    body: [expect.stringContaining('has no field')],
  });
  expect(await problem({ body: 'Dear {{partner_id.name}}' })).toMatchObject({
    body: [expect.stringContaining('Braces')],
  });
  expect(await problem({ body: '{partner_id.parent_id.parent_id.parent_id.parent_id.name}' })).toEqual({
    body: [expect.stringContaining('at most 3 relations')],
  });
  expect(await problem({ model: 'no.model' })).toEqual({ model: ['There is no model no.model.'] });
  expect(await problem({ model: 'sys.mail.server' })).toMatchObject({ model: [expect.any(String)] });
  const id = await write({});
  const translate = { template_id: id, lang: 'de_DE', subject: 'Zu {nam}', body: 'Hallo' };
  await expect(
    world.work((env) => env.model('mail.template.translation').create(translate), ada),
  ).rejects.toMatchObject({
    details: { fields: { subject: ['Lead has no field {nam} that can be inserted. Did you mean {name}?'] } },
  });
  await expect(world.work((env) => env.model('mail.template').write([id], { model: 'sale.order' }), ada)).resolves.toBe(
    true,
  );
  await expect(
    world.work((env) => env.model('mail.template').write([id], { body: '{expected_revenue}' }), ada),
  ).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
});

it('TPL-2 it is written in the language of the contact, with amounts, dates and choices in the format of that language', async () => {
  const vera = await contact({ lang: 'de_AT', email: 'vera@customer.test', city: 'Linz' });
  const paul = await contact({ name: 'Paul', lang: 'fr_FR' });
  const template = await write({
    body: 'Dear {partner_id.name},\n{partner_id.website}\n{expected_revenue}, {state}, {date_deadline}',
    translation_ids: [
      [
        'create',
        {
          lang: 'de_DE',
          subject: 'Zu {name}',
          body: 'Liebe {partner_id.name}:\n{expected_revenue}, {state}, {date_deadline}',
        },
      ],
    ],
  });
  const values = { user_id: ada.uid, expected_revenue: '12345.5', date_deadline: '2026-12-24' };
  const id = await world.lead({ ...values, partner_id: vera });
  const german = await fill(template, id);
  expect(german).toMatchObject({ subject: 'Zu Lamps', lang: 'de_DE' });
  expect(german.body).toMatch(/^Liebe Vera:\n12\.345,50.\S+, Offen, 24\.12\.2026$/);
  const french = await fill(template, await world.lead({ ...values, partner_id: paul }));
  expect(french.lang).toBe('en_US');
  // The line with the website is left out: there is none.
  expect(french.body).toMatch(/^Dear Paul,\n\S*12,345\.50\S*, Open, Dec 24, 2026$/);
});

it('TPL-3 it shows what its sender may read, whoever wrote it', async () => {
  const secret = await write(
    { user_id: null, body: 'All: {team_id.forecast}\nDear {partner_id.name}!\nBye' },
    world.admin,
  );
  const hidden = await contact({ name: 'Hidden Person', is_private: true, user_id: world.admin.uid });
  const team = await world.server((env) => env.model('sale.team').create({ name: 'North' }));
  const id = await world.lead({ user_id: ada.uid, partner_id: hidden, team_id: team });
  expect((await fill(secret, id, world.admin)).body).toMatch(/^All: .*0\.00.*\nDear Hidden Person!\nBye$/);
  expect((await fill(secret, id)).body).toBe('Bye');
  const other = await world.person('Other Seller', ['base.group_user', 'crm.group_user']);
  await expect(fill(secret, id, other)).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  await expect(fill(secret, 999_999)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(fill(secret, 1, ada, 'core.partner')).rejects.toThrow('Choose a record of this kind: Lead.');
});

it('TPL-4 people use their own templates and those that are shared with them; shared ones are written by a group', async () => {
  const names = async (who: Actor) =>
    (await world.work((env) => templatesFor(typedEnv(env), 'sale.order'), who)).map(({ name }) => name);
  const of = (values: object, who: Actor) => write({ model: 'sale.order', body: 'Hello', ...values }, who);
  const mine = await of({ name: 'Mine' }, ada);
  await expect(of({ name: 'For all', user_id: null }, ada)).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  await expect(of({ name: 'Forged', user_id: editor.uid }, ada)).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
  const admin = world.admin;
  const shared = await of({ name: 'For all', user_id: null }, admin);
  await of({ name: 'For Ada', user_id: null, member_ids: [['link', ada.uid]] }, admin);
  await of({ name: 'For Ed', user_id: null, member_ids: [['link', editor.uid]] }, admin);
  const abroad = await world.addCompany('Abroad');
  await world.server((env) =>
    env
      .model('mail.template')
      .create({ ...usual, model: 'sale.order', body: 'x', name: 'Abroad', user_id: null, company_id: abroad }),
  );
  // `Offer` is the one of the first test, which became one for orders.
  expect((await names(ada)).sort()).toEqual(['For Ada', 'For all', 'Mine', 'Offer']);
  await expect(
    world.work((env) => env.model('mail.template').write([shared], { body: 'Mine' }), ada),
  ).rejects.toMatchObject({
    code: 'ACCESS_DENIED',
  });
  await expect(
    world.work((env) => env.model('mail.template').write([mine], { name: 'Yours' }), editor),
  ).rejects.toMatchObject({
    code: 'ACCESS_DENIED',
  });
  expect(await world.work((env) => env.model('mail.template').write([shared], { name: 'For everybody' }), admin)).toBe(
    true,
  );
  const guest = await world.person('Guest', ['base.group_portal']);
  await expect(names(guest)).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
});

it('TPL-5 a program sends it about a record; the preview is the mail, and nothing in it is markup', async () => {
  const vera = await contact({ name: '<img src=x onerror=alert(1)> Vera', email: 'vera@customer.test' });
  const id = await world.lead({ user_id: ada.uid, partner_id: vera });
  const template = await write({ body: 'Dear **{partner_id.name}**,\n\n- one\n- two' });
  await world.kernel.database.execute(sql`delete from mail_queue`);
  const send = (answers: Readonly<Record<string, unknown>>, who = ada) =>
    world.work((env) => env.model('mail.template').call([template], 'send', answers), who);
  await expect(send({ record: `sale.order,${id}` })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  await expect(send({ record: `crm.lead,${id}`, to: 'a@b.test\r\nBcc: c@d.test' })).rejects.toThrow(
    'Enter a valid e-mail address.',
  );
  await send({ record: `crm.lead,${id}` });
  const [mail] = await queued();
  expect(mail).toMatchObject({ recipient: 'vera@customer.test', subject: 'About Lamps' });
  expect(mail?.body_html).toContain('&lt;img src=x onerror=alert(1)&gt; Vera</strong>');
  expect(mail?.body_html).not.toContain('<img src=x');
  expect(mail?.body_html).toMatch(/<ul style="[^"]*"><li>one<\/li><li>two<\/li><\/ul>/);
  const [preview] = templateRoutes.filter(({ path }) => path.endsWith('.html'));
  const page = await world.work(
    async (env) =>
      preview?.handler({
        env: typedEnv(env),
        params: { id: String(template) },
        query: { record: String(id) },
      } as never),
    ada,
  );
  expect(String((page as { body: unknown }).body)).toContain('&lt;img src=x');
  const other = await world.person('No Reader', ['base.group_user', 'crm.group_user']);
  await expect(send({ record: `crm.lead,${id}` }, other)).rejects.toMatchObject({
    code: expect.stringMatching(/ACCESS_DENIED|NOT_FOUND/),
  });
});

it('TPL-9 a value is no link with another address than it shows, and mentions nobody', async () => {
  const links = ['[Reset](https://evil.test/x)', '[a]](https://evil.test/x)', '![b](https://evil.test/x)'];
  const named = await contact({ name: `${links.join(' ')} @[Ada](user:${ada.uid})`, email: 'eve@customer.test' });
  const id = await world.lead({ user_id: ada.uid, partner_id: named });
  const template = await write({ body: 'Dear {partner_id.name},\n\n[ours](https://kontor.test/{name})' });
  const { body } = await fill(template, id);
  expect(mentionedIn(body)).toEqual([]);
  const html = markdownToHtml(body, () => 'Ada');
  expect([...html.matchAll(/<a href="([^"]*)"[^>]*>([^<]*)</g)].map(([, href, shown]) => [href, shown])).toEqual([
    ...links.map(() => ['https://evil.test/x', 'https://evil.test/x']),
    ['https://kontor.test/Lamps', 'ours'],
  ]);
});

it('TPL-6 the dialog that sends a quotation proposes the text of a chosen template, and each of several is filled for itself', async () => {
  const vera = await contact({ email: 'vera@customer.test' });
  const paul = await contact({ name: 'Paul', email: 'paul@customer.test' });
  const product = await world.server(async (env) => {
    const [uom] = await env.model('product.uom').search([], { limit: 1 });
    return env.model('product.product').create({ name: 'Lamp', list_price: '10', uom_id: uom });
  });
  const order = (partner: number) =>
    world.work(
      (env) => env.model('sale.order').create({ partner_id: partner, line_ids: [['create', { product_id: product }]] }),
      ada,
    );
  const [one, two] = [await order(vera), await order(paul)];
  const template = await write({
    model: 'sale.order',
    subject: 'Order {name}',
    body: 'For {partner_id.name}: {amount_total}',
  });
  const proposal = await world.work(
    (env) => env.model('sale.order').proposeAnswers([one], 'send', { template_id: template }),
    ada,
  );
  expect(proposal.value).toMatchObject({
    recipient: 'vera@customer.test',
    body: expect.stringMatching(/^For Vera: .*10\.00/),
  });
  const typed = await world.work(
    (env) => env.model('sale.order').proposeAnswers([one], 'send', { template_id: template, body: 'Own' }),
    ada,
  );
  expect(typed.value).not.toHaveProperty('body');
  await world.kernel.database.execute(sql`delete from mail_queue`);
  await world.work((env) => env.model('sale.order').call([one, two], 'send', { template_id: template }), ada);
  expect((await queued()).map(({ recipient, body_text: text }) => [recipient, /For (\w+)/.exec(text)?.[1]])).toEqual([
    ['vera@customer.test', 'Vera'],
    ['paul@customer.test', 'Paul'],
  ]);
  const strange = await write({ model: 'crm.lead' });
  await expect(
    world.work((env) => env.model('sale.order').call([one], 'send', { template_id: strange }), ada),
  ).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
  });
});
