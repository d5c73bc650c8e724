import { checkModel, checkWritten } from '@addons/mail';
import {
  anyModel,
  type Env,
  KontorError,
  recordTextMistake,
  text,
  UserError,
  ValidationError,
  type WriteValues,
} from '@kontor/addon';
import { readAudience } from './audience.ts';

const content = ['model', 'domain', 'address_path', 'subject', 'body', 'lang', 'company_id', 'name'] as const;

/** What was tested and seen before it was sent is what is sent. */
export async function refuseLocked(
  env: Env,
  ids: readonly number[],
  values: WriteValues<'mailing.mailing'>,
): Promise<void> {
  if (!content.some((name) => name in values) || env.isSudo) return;
  const states = await env.model('mailing.mailing').read(ids, ['state']);
  if (states.some(({ state }) => state !== 'draft'))
    throw new UserError('Only drafts can be changed. Duplicate this mailing to write another.');
}

/** Mistakes are told when they are written, with the rights of the writer, and the audience is counted. */
export async function checkMailings(env: Env, ids: readonly number[]): Promise<void> {
  const rows = await env
    .model('mailing.mailing')
    .read(ids, ['model', 'domain', 'address_path', 'subject', 'body', 'state', 'rate', 'company_id']);
  for (const row of rows) {
    await checkRate(env, row.rate, row.company_id);
    if (row.state !== 'draft') continue;
    await checkModel(env, row.model);
    checkWritten(env, row.model, row);
    const mistake = recordTextMistake(env, row.model, `{${row.address_path}}`);
    if (mistake !== null || !/^[a-z][\w.]*$/.test(row.address_path)) {
      throw new ValidationError({ address_path: [mistake ?? 'Enter the name of a field, such as email.'] });
    }
    // On its own first: an operator without its conditions would take those that are added.
    const own = (Array.isArray(row.domain) ? row.domain : []) as never;
    await inAudience(() => anyModel(env, row.model).search(own, { limit: 1 }));
    const { count, sample } = await inAudience(() => readAudience(env, row));
    // As the server: nobody writes it by hand.
    await env
      .sudo()
      .model('mailing.mailing')
      .write([row.id], { audience: count, sample: sample.slice(0, 500) || null });
  }
}

async function checkRate(env: Env, rate: number, companyId: number): Promise<void> {
  // As the server: the limit is no secret.
  const [company] = await env.sudo().model('core.company').read([companyId], ['mailing_most_per_hour']);
  const most = company?.mailing_most_per_hour ?? 1;
  if (rate > most) throw new ValidationError({ rate: [text('At most {most} mails per hour are allowed.', { most })] });
}

async function inAudience<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof KontorError) throw new ValidationError({ domain: [error.message] });
    throw error;
  }
}
