import { KontorError, type RouteAnswer, type RouteRequest, type RouteSpec, text } from '@kontor/addon';
import { keepOptOut } from './keep-opt-out.ts';
import { addressOf, tokenFormat } from './links.ts';
import { optOutPage } from './page.ts';

const path = `/mailing/out/:token(${tokenFormat})`;

/** For people who are not signed in. A page that is opened changes nothing: mail programs open links before their readers do. */
export const optOutRoutes: readonly RouteSpec[] = [
  { method: 'GET', path, auth: 'none', handler: show },
  { method: 'POST', path, auth: 'none', handler: change },
];

async function show(request: RouteRequest): Promise<RouteAnswer> {
  const { env, params, path: action } = request;
  const address = await addressOf(env, params.token ?? '');
  return optOutPage(request, address && { ...address, action });
}

/** One click in a mail program (RFC 8058), or a button of the page. */
async function change(request: RouteRequest): Promise<RouteAnswer> {
  const { env, params, body, path: action } = request;
  const address = await addressOf(env, params.token ?? '');
  if (!address) throw new KontorError('NOT_FOUND', text('This link is not valid.'));
  const fields = typeof body === 'object' && body !== null ? (body as Readonly<Record<string, unknown>>) : {};
  const isBack = fields.do === 'subscribe';
  if (isBack !== !address.isOut) {
    await keepOptOut(env, address.email, !isBack, isBack ? 'By the link in a mailing' : reasonOf(fields));
    if (!isBack) await noteOptOut(env, address.id);
  }
  return optOutPage(request, { ...address, isOut: !isBack, action });
}

function reasonOf(fields: Readonly<Record<string, unknown>>): string {
  return fields['List-Unsubscribe'] === 'One-Click' ? 'By one click in a mail program' : 'By the link in a mailing';
}

/** In the report of the newest mailing that the address got. As the server: nobody is signed in. */
async function noteOptOut(env: RouteRequest['env'], addressId: number): Promise<void> {
  const recipients = env.sudo().model('mailing.recipient');
  const newest = await recipients.search(
    [
      ['address_id', '=', addressId],
      ['sent', '=', 1],
    ],
    { order: '-sent_at, -id', limit: 1 },
  );
  await recipients.write(newest, { opted_out: 1 });
}
