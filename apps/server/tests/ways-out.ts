import { viewTypes } from '@kontor/protocol';
import { pdfPages } from '@kontor/testing';
import type { Browser } from './browser.ts';
import { postCsv } from './import/upload-csv.ts';

/** A value that some people may not see, and where it is. */
export interface Secret {
  readonly text: string;
  readonly model: string;
  readonly id: number;
  readonly field: string;
  /** A record that everybody may see and that leads to the secret. */
  readonly carrier: {
    readonly model: string;
    readonly id: number;
    /** The many2one of the carrier, if it points at the secret. */
    readonly link: string | null;
    readonly paths: readonly unknown[];
  };
}

/** All that somebody is told by one way out when they go for the secret. */
export interface Way {
  ask(browser: Browser, secret: Secret): Promise<string>;
  /** Those who may see the secret see it by this way: so it is known that the way is tried where it leads. */
  readonly isShown?: true | ((secret: Secret) => boolean);
}

async function rpc(browser: Browser, model: string, method: string, args: readonly unknown[], kwargs = {}) {
  const { result, error } = await browser.call({ model, method, args, kwargs });
  return JSON.stringify([result, error]);
}

async function all(...answers: readonly Promise<string>[]): Promise<string> {
  return (await Promise.all(answers)).join('\n');
}

async function body(response: Promise<Response>): Promise<string> {
  const bytes = Buffer.from(await (await response).arrayBuffer());
  return bytes.subarray(0, 4).toString() === '%PDF' ? pdfPages(bytes).join('\n') : bytes.toString();
}

const dry = { dry_run: true };
const one = (id: number) => [['id', '=', id]];
const get = (browser: Browser, path: string, query: Record<string, string | number> = {}) =>
  body(browser.get(`${path}?${new URLSearchParams(query as Record<string, string>)}`));
const linkOf = ({ carrier, id }: Secret) => (carrier.link === null ? {} : { [carrier.link]: id });

/** A template of one's own that names the secret; 1 if it is refused. */
async function writeTemplate(browser: Browser, { model, field }: Pick<Secret, 'model' | 'field'>): Promise<number> {
  const values = { name: '?', model, lang: 'en_US', subject: '?', body: `{${field}}` };
  const { result } = await browser.call({ model: 'mail.template', method: 'create', args: [values] });
  return typeof result === 'number' ? result : 1;
}

/** About the record itself, and about one that leads to it. */
async function fillTemplate(browser: Browser, { model, id, field, carrier }: Secret): Promise<string> {
  const own = await writeTemplate(browser, { model, field });
  const path = carrier.link === null ? field : `${carrier.link}.${field}`;
  const around = await writeTemplate(browser, { model: carrier.model, field: path });
  return all(
    get(browser, '/web/wc/mail/template', { template: own, model, id }),
    get(browser, '/web/wc/mail/template', { template: around, model: carrier.model, id: carrier.id }),
  );
}

/** One for each method of the RPC endpoint. */
export const rpcWays: Readonly<Record<string, Way>> = {
  search: {
    isShown: true,
    ask: (browser, { model, id, field, carrier }) =>
      all(
        rpc(browser, model, 'search', [one(id)]),
        rpc(browser, model, 'search', [[]], { order: field }),
        rpc(browser, carrier.model, 'search', [one(carrier.id)]),
      ),
  },
  search_read: {
    isShown: true,
    ask: (browser, { model, id, field, carrier }) =>
      all(
        rpc(browser, model, 'search_read', [one(id), [field, 'display_name']]),
        rpc(browser, 'sys.feed', 'search_read', [[['res_id', '=', id]]]),
        rpc(browser, carrier.model, 'search_read', [one(carrier.id), carrier.paths]),
        ...carrier.paths.map((path) => rpc(browser, carrier.model, 'search_read', [one(carrier.id), [path]])),
      ),
  },
  read: {
    isShown: true,
    ask: (browser, { model, id, field, carrier }) =>
      all(
        rpc(browser, model, 'read', [[id]]),
        rpc(browser, model, 'read', [[id], [field]]),
        ...carrier.paths.map((path) => rpc(browser, carrier.model, 'read', [[carrier.id], [path]])),
      ),
  },
  read_group: {
    isShown: true,
    ask: (browser, { model, id, field, carrier }) =>
      all(
        rpc(browser, model, 'read_group', [{ domain: one(id), groupby: [field], fields: [] }]),
        rpc(browser, model, 'read_group', [
          { domain: one(id), groupby: [], fields: [{ name: 'm', field, measure: 'max' }] },
        ]),
        ...(carrier.link === null
          ? []
          : [
              rpc(browser, carrier.model, 'read_group', [
                { domain: one(carrier.id), groupby: [carrier.link], fields: [] },
              ]),
            ]),
      ),
  },
  call: {
    ask: (browser, { model, id, carrier }) =>
      all(
        rpc(browser, model, 'call', [id, 'action_copy'], dry),
        rpc(browser, model, 'call', [0, 'action_copy', { active_ids: String(id) }], dry),
        rpc(browser, carrier.model, 'call', [carrier.id, 'action_copy'], dry),
      ),
  },
  create: {
    ask: (browser, secret) =>
      all(
        rpc(browser, secret.model, 'create', [{ id: secret.id }], dry),
        rpc(browser, secret.carrier.model, 'create', [{ name: 'x', ...linkOf(secret) }], dry),
      ),
  },
  create_many: {
    ask: (browser, secret) =>
      rpc(browser, secret.carrier.model, 'create_many', [[{ name: 'x', ...linkOf(secret) }]], dry),
  },
  write: {
    ask: (browser, secret) =>
      all(
        rpc(browser, secret.model, 'write', [[secret.id], {}]),
        rpc(browser, secret.model, 'write', [[secret.id], { [secret.field]: '1' }], {
          ...dry,
          base: { [secret.field]: '0' },
        }),
        rpc(browser, secret.carrier.model, 'write', [[secret.carrier.id], linkOf(secret)], dry),
      ),
  },
  write_many: {
    ask: (browser, secret) => rpc(browser, secret.model, 'write_many', [[secret.id], { [secret.field]: '1' }], dry),
  },
  unlink: {
    ask: (browser, { model, id, carrier }) =>
      all(rpc(browser, model, 'unlink', [[id]], dry), rpc(browser, carrier.model, 'unlink', [[carrier.id]], dry)),
  },
  unlink_many: { ask: (browser, { model, id }) => rpc(browser, model, 'unlink_many', [[id]], dry) },
  onchange: {
    ask: (browser, secret) => {
      const link = linkOf(secret);
      return all(
        rpc(browser, secret.model, 'onchange', [{}, []], { id: secret.id }),
        rpc(browser, secret.carrier.model, 'onchange', [link, Object.keys(link)]),
        rpc(browser, secret.carrier.model, 'onchange', [link, Object.keys(link)], { id: secret.carrier.id }),
        rpc(browser, secret.model, 'onchange', [{}, []], { action: 'action_copy', active_ids: [secret.id] }),
      );
    },
  },
};

const withChatter: ReadonlySet<string> = new Set(['core.partner', 'crm.lead', 'sale.order', 'project.project']);

/** One for each route that answers with something of a record; addresses as the server lists them. */
export const routeWays: Readonly<Record<string, Way>> = {
  'GET /web/wc/workspace': {
    isShown: true,
    ask: (browser, { model, id, field, carrier }) =>
      all(
        ...viewTypes.map((view_type) => get(browser, '/web/wc/workspace', { model, view_type })),
        ...['list', 'kanban', 'graph', 'pivot'].map((view_type) =>
          get(browser, '/web/wc/workspace', { model, view_type, group_by: field }),
        ),
        get(browser, '/web/wc/workspace', { model, view_type: 'form', id }),
        get(browser, '/web/wc/workspace', { model: carrier.model, view_type: 'form', id: carrier.id }),
      ),
  },
  'GET /web': {
    isShown: true,
    ask: (browser, { model, id }) => get(browser, '/web', { model, view_type: 'form', id }),
  },
  'GET /web/wc/find': {
    // Texts are found, amounts are not.
    isShown: ({ field }) => field !== 'unit_cost',
    ask: (browser, { text, model, carrier }) =>
      get(browser, '/web/wc/find', { q: text, models: `${model},${carrier.model}` }),
  },
  'GET /web/wc/timeline': {
    ask: (browser, { model, id, carrier }) =>
      all(
        get(browser, '/web/wc/timeline', { model, id }),
        get(browser, '/web/wc/timeline', { model: carrier.model, id: carrier.id }),
      ),
  },
  'GET /web/wc/changes': { ask: (browser) => get(browser, '/web/wc/changes', {}) },
  'GET /web/export/csv': {
    isShown: true,
    ask: (browser, { model, id, field, carrier }) =>
      all(
        get(browser, '/web/export/csv', { model, fields: `id,${field}` }),
        get(browser, '/web/export/csv', { model, fields: field, id }),
        ...carrier.paths.map((path) =>
          get(browser, '/web/export/csv', { model: carrier.model, fields: String(path), id: carrier.id }),
        ),
      ),
  },
  'GET /web/export/pdf': {
    isShown: true,
    ask: (browser, { model, id, field }) =>
      all(
        get(browser, '/web/export/pdf', { model, fields: field }),
        get(browser, '/web/export/pdf', { model, fields: field, id }),
      ),
  },
  'GET /web/bulk/template': {
    ask: (browser, { model, field }) => get(browser, '/web/bulk/template', { model, fields: field }),
  },
  'POST /web/bulk/upload': { ask: (browser, secret) => importCheck(browser, secret, '/web/bulk/upload') },
  'POST /web/import/csv': { ask: (browser, secret) => importCheck(browser, secret, '/web/import/csv') },
  'GET /web/bulk/rejects': { ask: (browser) => get(browser, '/web/bulk/rejects', { id: 1 }) },
  'GET /web/wc/chatter': {
    isShown: ({ model }) => withChatter.has(model),
    ask: (browser, { model, id, carrier }) =>
      all(
        get(browser, '/web/wc/chatter', { model, id }),
        get(browser, '/web/wc/chatter', { model: carrier.model, id: carrier.id }),
      ),
  },
  'GET /web/wc/activities': {
    ask: (browser, { model, id }) =>
      all(get(browser, '/web/wc/activities', { model, id }), get(browser, '/web/wc/activities', { model, ids: id })),
  },
  'GET /web/wc/chatter/file': { ask: (browser) => get(browser, '/web/wc/chatter/file', { id: 1 }) },
  'GET /web/wc/chatter/files': {
    ask: (browser, { model, id }) => get(browser, '/web/wc/chatter/files', { model, id }),
  },
  'GET /web/wc/inbox': {
    ask: (browser, { text }) => all(get(browser, '/web/wc/inbox'), get(browser, '/web/wc/inbox', { q: text })),
  },
  'GET /web/wc/inbox/places': { ask: (browser, { text }) => get(browser, '/web/wc/inbox/places', { id: 1, q: text }) },
  'POST /web/inbox/change': { ask: (browser) => body(browser.json('/web/inbox/change', { ids: [1], do: 'close' })) },
  'GET /web/mail/message/:id(^[1-9][0-9]{0,8}).html': {
    ask: (browser) => get(browser, '/web/mail/message/1.html', {}),
  },
  'POST /web/mail/invitation': {
    ask: (browser) => body(browser.json('/web/mail/invitation', { message: 1, answer: 'yes' })),
  },
  'GET /web/wc/chatter/recipients': {
    ask: (browser, { model, id }) => get(browser, '/web/wc/chatter/recipients', { model, id }),
  },
  'GET /web/wc/chatter/followers': {
    ask: (browser, { model, id }) => get(browser, '/web/wc/chatter/followers', { model, id }),
  },
  'POST /web/chatter/followers': {
    ask: (browser, { model, id }) => body(browser.json('/web/chatter/followers', { model, id, do: 'add', user: 1 })),
  },
  'GET /web/wc/chatter/scheduled': { ask: (browser) => get(browser, '/web/wc/chatter/scheduled') },
  'GET /web/wc/mail/template': { ask: fillTemplate },
  'GET /web/mail/templates/:id(^\\d{1,9}).html': {
    ask: async (browser, secret) => {
      const template = await writeTemplate(browser, secret);
      return get(browser, `/web/mail/templates/${template}.html`, { record: secret.id });
    },
  },
  'GET /web/wc/mail/templates': { ask: (browser, { model }) => get(browser, '/web/wc/mail/templates', { model }) },
  'GET /web/wc/mail/fields': {
    ask: (browser, { model, carrier }) =>
      all(
        get(browser, '/web/wc/mail/fields', { model }),
        get(browser, '/web/wc/mail/fields', { model: carrier.model, behind: carrier.link ?? '' }),
      ),
  },
  'GET /mailing/out/:token(^[0-9a-z]{1,7}-[0-9a-f]{32}$)': {
    ask: (browser, { id }) => get(browser, `/mailing/out/${id.toString(36)}-${'0'.repeat(32)}`),
  },
  'POST /mailing/out/:token(^[0-9a-z]{1,7}-[0-9a-f]{32}$)': {
    ask: (browser, { id }) =>
      body(browser.json(`/mailing/out/${id.toString(36)}-${'0'.repeat(32)}`, { do: 'subscribe' })),
  },
  'GET /web/companies/:id(^\\d{1,9})/mail.html': {
    ask: (browser, { id }) => get(browser, `/web/companies/${id}/mail.html`),
  },
  'POST /web/chatter/mail': {
    ask: (browser, { model, id }) => body(browser.json('/web/chatter/mail', { model, id, to: ['a@b.de'], body: '?' })),
  },
  'POST /web/chatter/unsend': { ask: (browser) => body(browser.json('/web/chatter/unsend', { message: 1 })) },
  'POST /web/chatter/reschedule': { ask: (browser) => body(browser.json('/web/chatter/reschedule', { message: 1 })) },
  'POST /web/chatter/post': {
    ask: (browser, { model, id }) =>
      all(
        body(browser.json('/web/chatter/post', { model, id, body: 'Hello?' })),
        body(browser.json('/web/chatter/post', { model, id, remove: [1] })),
      ),
  },
  'POST /web/chatter/share': {
    ask: (browser, { model, id }) => body(browser.json('/web/chatter/share', { model, id, user: 1 })),
  },
  'POST /web/chatter/unmention': {
    ask: (browser) => body(browser.json('/web/chatter/unmention', { message: 1, user: 1 })),
  },
  'GET /web/sale/quotation/:id(^\\d{1,9}).pdf': {
    ask: (browser, { id }) => get(browser, `/web/sale/quotation/${id}.pdf`),
  },
  'GET /web/sale/sent/:id(^\\d{1,9}).pdf': { ask: (browser, { id }) => get(browser, `/web/sale/sent/${id}.pdf`) },
  'GET /api/sale/quotation/:id(^\\d{1,9}).pdf': {
    ask: (browser, { id }) => get(browser, `/api/sale/quotation/${id}.pdf`),
  },
  'GET /web/texts/:id(^\\d{1,9}).html': {
    ask: (browser, { id }) => get(browser, '/web/texts/1.html', { record: id }),
  },
  'GET /web/invoice/document/:id(^\\d{1,9}).pdf': {
    ask: (browser, { id }) => get(browser, `/web/invoice/document/${id}.pdf`),
  },
  'GET /api/invoice/document/:id(^\\d{1,9}).pdf': {
    ask: (browser, { id }) => get(browser, `/api/invoice/document/${id}.pdf`),
  },
  'GET /web/invoice/draft/:id(^\\d{1,9}).pdf': {
    ask: (browser, { id }) => get(browser, `/web/invoice/draft/${id}.pdf`),
  },
  'GET /web/accounting/datev/:periods(^[\\d-]{1,200}).csv': {
    ask: (browser, { id }) => get(browser, `/web/accounting/datev/${id}.csv`),
  },
  'GET /api/accounting/datev/:periods(^[\\d-]{1,200}).csv': {
    ask: (browser, { id }) => get(browser, `/api/accounting/datev/${id}.csv`),
  },
  'GET /web/wc/bank/work': { ask: (browser) => get(browser, '/web/wc/bank/work', { limit: 500 }) },
  'GET /web/wc/bank/invoices': {
    ask: (browser, { id }) => get(browser, '/web/wc/bank/invoices', { entry: id, q: '' }),
  },
  'POST /web/bank/upload': { ask: (browser) => body(browser.form('/web/bank/upload', { account: '1' })) },
  'POST /api/bank/upload': { ask: (browser) => body(browser.form('/api/bank/upload', { account: '1' })) },
  'POST /web/bank/confirm-certain': {
    ask: (browser, { id }) => body(browser.json('/web/bank/confirm-certain', { ids: [id] })),
  },
  'POST /api/bank/confirm-certain': {
    ask: (browser, { id }) => body(browser.json('/api/bank/confirm-certain', { ids: [id] })),
  },
  'GET /web/invoice/document/:id(^\\d{1,9}).xml': {
    ask: (browser, { id }) => get(browser, `/web/invoice/document/${id}.xml`),
  },
  'GET /api/invoice/document/:id(^\\d{1,9}).xml': {
    ask: (browser, { id }) => get(browser, `/api/invoice/document/${id}.xml`),
  },
  'GET /web/calendar/busy': {
    ask: (browser, { id, carrier }) =>
      get(browser, '/web/calendar/busy', {
        ...{ users: id, guests: `${id},${carrier.id}`, tz: 'UTC' },
        ...{ start: '2026-11-18T09:00:00Z', stop: '2026-11-18T10:00:00Z' },
      }),
  },
  'POST /web/proposals/decide': {
    ask: (browser) =>
      body(browser.json('/web/proposals/decide', { decision: 'approve', proposals: [{ id: 1, version: 1 }] })),
  },
  'GET /web/reference': { ask: (browser, { model }) => get(browser, '/web/reference', { model }) },
  ...Object.fromEntries(
    [
      '/web/home',
      '/web/apps',
      '/web/profile',
      '/web/proposals',
      '/web/settings',
      '/web/settings/app-logs',
      '/metrics',
    ].map((path) => [`GET ${path}`, { ask: (browser: Browser) => get(browser, path) }]),
  ),
};

/** A file that names the record: what the check and the batch say of it. */
async function importCheck(browser: Browser, { model, id, field }: Secret, path: string): Promise<string> {
  const file = `id,${field}\r\n${id},1\r\n`;
  const answer = await postCsv(browser, file, { model }, { path, headers: { accept: 'application/json' } });
  const staged = await answer.text();
  const batch = (JSON.parse(staged) as { result: { id: number } | null }).result?.id;
  if (batch === undefined) return staged;
  const vals = { column_mapping: JSON.stringify({ id: 'id', [field]: field }) };
  return all(
    Promise.resolve(staged),
    rpc(browser, 'sys.bulk.import', 'call', [batch, 'action_confirm_import', vals], dry),
    rpc(browser, 'sys.bulk.import', 'read', [[batch]]),
  );
}
