import { Decimal, type Env } from '@kontor/orm';
import { defineText } from '@kontor/orm/author';
import { fillPlaceholders, placeholderMistake } from '@kontor/protocol';
import { createTestKernel, type TestKernel } from '@kontor/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { invitationText } from '../identity/identity-texts.ts';
import { composeMail } from '../mail/compose-mail.ts';
import { showText } from '../mail/show-text.ts';
import { renderText } from '../texts/render-text.ts';

let world: TestKernel;
let invitation: number;
beforeAll(async () => {
  world = await createTestKernel({ modules: ['sale'] });
  invitation = await world.work((env) => textId(env, 'base.invitation'));
});
afterAll(() => world.close());
afterEach(() =>
  world.work(async (env) => {
    const edits = env.sudo().model('sys.text.edit');
    await edits.unlink(await edits.search([]));
  }),
);

const textId = async (env: Env, key: string) => (await env.model('sys.text').search([['key', '=', key]]))[0] as number;
const edit = (values: object, key = 'base.invitation', actor = world.admin) =>
  world.work(
    async (env) =>
      env.model('sys.text.edit').create({ text_id: await textId(env.sudo(), key), lang: 'en_US', ...values }),
    actor,
  );
const mistakes = (values: object) =>
  edit(values).then(
    () => ({}),
    ({ details }: { details: { fields?: object } }) => details.fields,
  );
const guest = { name: 'Ingrid', login: 'ingrid', company: 'Nordlicht', days: 7 };
const invited = (lang: string | null, companyId: number | null = null, values = guest) =>
  world.work((env) => renderText(env, invitationText, { lang, companyId }, values));

describe('what a recipient reads', () => {
  it('TXT-1 a changed text is for its language and company; others read the shipped one in their language', async () => {
    const company = world.admin.companyId as number;
    const body = 'Welcome {name}, your login is {login}.';
    await edit({ lang: 'de_DE', body: 'Willkommen {name}, Anmeldung {login}.' });
    await edit({ lang: 'en_US', body });
    await edit({ lang: 'en_US', company_id: company, body: 'Ahoy {name}! {login}' });
    const said = async (lang: string | null, id: number | null = null) => (await invited(lang, id)).body;
    expect(await said('en_US', company)).toBe('Ahoy Ingrid! ingrid');
    expect(await said('en_US')).toBe('Welcome Ingrid, your login is ingrid.');
    expect(await said(null)).toBe('Welcome Ingrid, your login is ingrid.');
    // Austria reads German; who reads no language of the addon gets the changed English text.
    expect(await said('de_AT', company)).toBe('Willkommen Ingrid, Anmeldung ingrid.');
    expect(await said('it_IT')).toBe('Welcome Ingrid, your login is ingrid.');
    expect(await said('fr_FR')).toMatch(/^Bonjour Ingrid/);
    await expect(edit({ lang: 'en_US', body })).rejects.toMatchObject({
      message: 'text_id: This text was changed already. Open the one there is.',
    });
  });

  it('TXT-3 values are formatted for the reader, replaced once, and taken as nothing else', async () => {
    const bill = defineText('base.bill', {
      label: 'Bill',
      subject: 'Bill {name}',
      body: ['{name} owes {amount}, {pieces} pieces.\nDue on {due}.', '{name} again'],
      values: {
        name: { label: 'Name', sample: 'Ada' },
        amount: { label: 'Amount', type: 'amount', sample: '1' },
        pieces: { label: 'Pieces', type: 'number', sample: '1' },
        due: { label: 'Due', type: 'date', sample: '2026-10-25', optional: true },
      },
    });
    const amount = { amount: new Decimal('1234.5'), currency: { symbol: '€', decimal_places: 2 } };
    const bad = '<script>{amount}</script>\r\nBcc: all@example.com';
    const said = (lang: string, due: string | null) =>
      world.work((env) => renderText(env, bill, { lang }, { name: bad, amount, pieces: 1200, due }));
    const german = await said('de_DE', '2026-10-25');
    expect(german.body).toContain('1.234,50\u00a0€, 1.200 pieces.');
    expect(german.body).toContain('Due on 25.10.2026.');
    const english = await said('en_US', null);
    expect(english.body).toContain('€1,234.50, 1,200 pieces.');
    expect(english.body).not.toContain('Due');
    expect(english.subject).toBe('Bill <script>{amount}</script> Bcc: all@example.com');
    const mail = composeMail({ ...english, to: 'x@example.com', button: null });
    expect(mail.subject).not.toMatch(/[\r\n]/);
    expect(mail.html).not.toContain('<script>');
    expect(mail.html).toContain('&lt;script&gt;{amount}');
  });
});

describe('what an administrator writes', () => {
  it('TXT-2 mistakes are told at the field, with the placeholders that exist', async () => {
    const list = '{name}, {login}, {company}, {days}';
    expect(await mistakes({ subject: 'Hi {nam}', body: '{{login}}' })).toEqual({
      subject: [`There is no placeholder {nam}. Use one of: ${list}`],
      body: [`Braces are only for placeholders. Use one of: ${list}`],
    });
    expect(await mistakes({ body: 'Hello {name}' })).toEqual({ body: ['The text must contain {login}.'] });
    expect(await mistakes({ body: ' ', button: 'x'.repeat(61) })).toEqual({
      body: ['Write a text, or reset it to the shipped one.'],
      button: ['At most 60 characters.'],
    });
    expect(await mistakes({ body: '{login}'.repeat(101) })).toEqual({ body: ['A text has at most 100 placeholders.'] });
    expect(await mistakes({ body: `{login}${'{'.repeat(9_000)}` })).toEqual({
      body: [`Braces are only for placeholders. Use one of: ${list}`],
    });
    expect(placeholderMistake('{env.db.query}', [])?.toString()).toContain('env.db.query');
    expect(fillPlaceholders('{a}\n{b}', (name) => (name === 'a' ? '{b}' : null))).toBe('{b}');
  });

  it('TXT-4 a changed text stays and says when the shipped one changed; it is kept or reset', async () => {
    const id = await edit({ body: 'Hi {name}: {login}' });
    const outdated = () =>
      world.work(async (env) => (await env.model('sys.text.edit').read([id], ['is_outdated', 'shipped_now']))[0]);
    expect(await outdated()).toMatchObject({ is_outdated: false });
    // As an upgrade leaves it: the text was changed when the addon shipped another one.
    await world.work((env) =>
      env
        .sudo()
        .model('sys.text.edit')
        .write([id], { shipped: { body: 'Before' } }),
    );
    expect(await outdated()).toMatchObject({
      is_outdated: true,
      shipped_now: expect.stringContaining('has created an account for you'),
    });
    expect((await invited('en_US')).body).toBe('Hi Ingrid: ingrid');
    await world.work((env) => env.model('sys.text.edit').call([id], 'keep'));
    expect(await outdated()).toMatchObject({ is_outdated: false });
    await world.work((env) => env.model('sys.text.edit').call([id], 'reset'));
    expect((await invited('en_US')).body).toMatch(/^Hello Ingrid,/);
  });

  it('TXT-1 TXT-4 a new one begins with the shipped text of its language', async () => {
    const id = await edit({ lang: 'fr_FR' });
    const [row] = await world.work((env) => env.model('sys.text.edit').read([id], ['body', 'preview']));
    expect(row?.body).toMatch(/^Bonjour \{name\}/);
    expect(row?.preview).toContain('Bonjour Ingrid Solberg');
    await world.work((env) => env.model('sys.text.edit').write([id], { lang: 'en_US' }));
    const [changed] = await world.work((env) => env.model('sys.text.edit').read([id], ['body']));
    expect(changed?.body).toMatch(/^Hello \{name\}/);
  });
});

describe('rights', () => {
  it('TXT-5 only administrators change texts, those of their companies, and previews read with their rights', async () => {
    const clerk = await world.person('Carla', ['sale.group_all']);
    await expect(edit({ body: '{login}' }, 'base.invitation', clerk)).rejects.toMatchObject({ code: 'ACCESS_DENIED' });
    const other = await world.work(async (env) => {
      const [euro] = await env.model('core.currency').search([['name', '=', 'EUR']]);
      return env.sudo().model('core.company').create({ name: 'Other', currency_id: euro });
    });
    const foreign = await world.work((env) =>
      env.sudo().model('sys.text.edit').create({ text_id: invitation, lang: 'en_US', company_id: other }),
    );
    const local = await world.person('Lena', ['base.group_system']);
    const ids = await world.work((env) => env.model('sys.text.edit').search([]), local);
    expect(ids).not.toContain(foreign);
    await expect(edit({ company_id: other, body: '{login}' }, 'base.invitation', local)).rejects.toMatchObject({
      code: expect.stringMatching(/ACCESS_DENIED|NOT_FOUND|VALIDATION_ERROR/),
    });
    const mail = await edit({ body: '{customer} {number}' }, 'sale.quotation_mail');
    const orderOf = (company: object) =>
      world.work(async (env) => {
        const partner = await env.sudo().model('core.partner').create({ name: 'Gemini & <Sons>' });
        return env
          .sudo()
          .model('sale.order')
          .create({ partner_id: partner, ...company });
      });
    const order = await orderOf({});
    const hidden = await orderOf({ company_id: other });
    const page = await world.work((env) => showText(env, mail, order));
    expect(page).toContain('Gemini &amp; &lt;Sons&gt; S0');
    expect(await world.work((env) => showText(env, mail, null), local)).toContain('Gemini Furniture S00042');
    await expect(world.work((env) => showText(env, mail, hidden), local)).rejects.toMatchObject({
      code: 'ACCESS_DENIED',
    });
    await expect(world.work((env) => showText(env, mail, order), clerk)).rejects.toMatchObject({
      code: 'ACCESS_DENIED',
    });
    await expect(
      world.work((env) => env.model('sys.text.edit').call([mail], 'preview', { record: `core.partner,1` })),
    ).rejects.toMatchObject({ details: { fields: { record: ['Choose a record of this kind: Sales order.'] } } });
  });
});
