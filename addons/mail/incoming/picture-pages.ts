import { checkRight, type Env, KontorError, type RouteAnswer, type RouteRequest, type RouteSpec } from '@kontor/addon';
import { checkThread, isAllowed } from '../chatter/thread.ts';

/** E-mails with their pictures from other servers, which a reader asks for one by one. */
export const pictureRoutes: readonly RouteSpec[] = [
  { method: 'GET', path: '/web/mail/message/:id(^[1-9][0-9]{0,8}).html', auth: 'session', handler: messagePage },
  { method: 'GET', path: '/web/mail/incoming/:id(^[1-9][0-9]{0,8}).html', auth: 'session', handler: incomingPage },
];

interface PicturedMail {
  readonly body: string | null;
  /** Signature and history, which have pictures as well. */
  readonly folded: string | null;
  readonly pictures: string | null;
}

/** As the server: messages have no rights of their own; who may read the record reads them. */
async function messagePage({ env, params }: RouteRequest): Promise<RouteAnswer> {
  const [row] = await env
    .sudo()
    .model('mail.message')
    .searchRead(
      [
        ['id', '=', Number(params.id)],
        ['pictures', '!=', null],
      ],
      ['model', 'res_id', 'body', 'folded', 'pictures'],
    );
  if (!row || !(await isAllowed(checkThread(env, { model: row.model, id: row.res_id })))) throw notFound();
  return picturePage(row);
}

async function incomingPage({ env, params }: RouteRequest): Promise<RouteAnswer> {
  const id = Number(params.id);
  await checkRight(env, 'mail.incoming', [id], 'read');
  return picturePage((await readIncoming(env, id)) ?? { body: null, folded: null, pictures: null });
}

async function readIncoming(env: Env, id: number): Promise<PicturedMail | undefined> {
  const [row] = await env.model('mail.incoming').read([id], ['body', 'folded', 'pictures']);
  return row;
}

function notFound(): KontorError {
  return new KontorError('NOT_FOUND', 'There is no such e-mail.');
}

/**
 * Pictures load, and nothing else: no script runs, no style or font comes from elsewhere, and other servers learn no address of ours. The
 * origin is kept so that the client, which frames the page, can read its height.
 */
const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; img-src http: https:; style-src 'unsafe-inline'; frame-ancestors 'self'; base-uri 'none'; form-action 'none'; sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox",
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'SAMEORIGIN',
  'cache-control': 'private, no-store',
} as const;

const style =
  'body{margin:0;padding:12px;background:#fff;color:#1d1d1f;font:14px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}img{max-width:100%;height:auto}table{max-width:100%}';

function picturePage({ body, folded, pictures }: PicturedMail): RouteAnswer {
  const history = folded ? `<details><summary>…</summary>${withPictures(folded, pictures ?? '')}</details>` : '';
  const page = `<!doctype html><html lang="und"><head><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>&#8203;</title><style>${style}</style></head><body dir="auto">${withPictures(body ?? '', pictures ?? '')}${history}</body></html>`;
  return { headers: pageHeaders, body: page };
}

/** Puts pictures where links took their place. The HTML is as the server stored it, after cleaning. */
export function withPictures(html: string, pictures: string): string {
  const known = new Set(pictures.split('\n').filter(Boolean));
  return html
    .replaceAll(/<a href="([^"]*)"[^>]*>\[([^<]*)\]<\/a>/g, (link, href: string, alt: string) =>
      known.has(href.replaceAll('&amp;', '&'))
        ? `<img src="${href}" alt="${alt.replaceAll('"', '&quot;')}" referrerpolicy="no-referrer">`
        : link,
    )
    .replaceAll('<a ', '<a target="_blank" ');
}
