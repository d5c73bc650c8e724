import {
  type ActionCall,
  anyModel,
  type fields,
  KontorError,
  openPath,
  type RouteRequest,
  text,
  ValidationError,
} from '@kontor/addon';
import { outsideMail } from '../chatter/outside-mail.ts';
import { fillTemplate } from './use-template.ts';

type Asked = { readonly record: ReturnType<typeof fields.reference> };

/** The newest record that the caller may read. */
export async function proposeRecord({ env, records }: Pick<ActionCall<'mail.template'>, 'env' | 'records'>) {
  const [template] = await records.load('model');
  if (!template || !env.registry.models.has(template.model)) return {};
  const [newest] = await anyModel(env, template.model).search([], { order: '-id', limit: 1 });
  return newest === undefined ? {} : { value: { record: `${template.model},${newest}` } };
}

/** The record that was chosen; one of another kind is refused at the field. */
export function chosenRecord(
  env: Pick<ActionCall<'mail.template'>['env'], 'registry'>,
  model: string,
  given: string | null,
): number {
  const [named = '', id = ''] = given?.split(',') ?? [];
  if (named === model && /^\d{1,9}$/.test(id)) return Number(id);
  const label = env.registry.models.get(model)?.label ?? model;
  throw new ValidationError({ record: [text('Choose a record of this kind: {label}.', { label })] });
}

export async function openPreview({ env, records, answers }: ActionCall<'mail.template', Asked>) {
  const { id, model } = await records.only('model');
  return openPath(`/web/mail/templates/${id}.html?record=${chosenRecord(env, model, answers.record)}`);
}

/** Nothing in the page may run or load: it is a mail. */
export const mailPageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; sandbox",
  'cache-control': 'private, no-store',
} as const;

/** The mail that a template would become, with the rights of the caller. */
export async function sendTemplatePreview({ env, params, query }: RouteRequest) {
  const record = typeof query.record === 'string' && /^\d{1,9}$/.test(query.record) ? Number(query.record) : null;
  const [template] = await env.model('mail.template').read([Number(params.id)], ['model', 'company_id']);
  if (!template || record === null) throw new KontorError('NOT_FOUND', text('This template no longer exists.'));
  const filled = await fillTemplate(env, { template: template.id, model: template.model, id: record });
  const mail = await outsideMail(env, {
    ...{ to: 'preview@example.com', lang: filled.lang, subject: filled.subject, body: filled.body },
    ...{ companyId: template.company_id ?? env.actor.companyId, isPreview: true },
  });
  return { headers: mailPageHeaders, body: mail.html };
}
