import {
  type ActionAnswer,
  type ActionCall,
  anyModel,
  type Env,
  fields,
  openPath,
  recordPath,
  text,
  UserError,
  ValidationError,
} from '@kontor/addon';
import { checkMayComment, type Thread } from '../chatter/thread.ts';
import { createdValues } from './created-values.ts';
import { fileOn, markContacts, settle } from './file-message.ts';
import { findCopy } from './find-copy.ts';
import { isOfCompany } from './find-thread.ts';
import { decodeBase64 } from './in-turns.ts';
import { parseMessage } from './parse-message.ts';

export const fileAsks = { record: fields.reference({ label: 'Record', required: true }) };
type FileCall = ActionCall<'mail.incoming', typeof fileAsks>;

/** Files e-mails on a record that the caller may comment on. */
export async function fileByHand({ env, records, answers }: FileCall): Promise<void> {
  const [model = '', id] = answers.record.split(',');
  const thread = { model, id: Number(id) };
  if (!env.registry.models.get(model)?.chatter)
    throw new ValidationError({ record: ['E-mails can be filed on records with a discussion.'] });
  await checkMayComment(env, thread);
  for (const each of records.ids) await fileOne(env, each, async () => thread);
}

/**
 * An action of `mail.incoming` that creates a record from each e-mail, as `mail.creates` of the model says, with the caller's rights.
 */
export function createFromMail(model: string, label: string, icon: string) {
  return {
    ...{ label, icon, single: 'Choose one e-mail.' },
    run: async ({ env, records }: ActionCall<'mail.incoming'>): Promise<ActionAnswer> => {
      const { id } = await records.only('id');
      const thread = await fileOne(env, id, async ({ company_id: company, partner_id: contact }, message) => ({
        model,
        id: await anyModel(env, model).create(await createdValues(env, model, company, message, contact)),
      }));
      return openPath(recordPath(model, thread.id));
    },
  };
}

async function fileOne(
  env: Env,
  id: number,
  choose: (
    row: { readonly company_id: number; readonly partner_id: number | null },
    message: Awaited<ReturnType<typeof parseMessage>>,
  ) => Promise<Thread>,
): Promise<Thread> {
  // As the server: the original cannot be read as a field, and who may file was checked before the action.
  const [row] = await env
    .sudo()
    .model('mail.incoming')
    .read([id], ['raw', 'state', 'company_id', 'partner_id', 'subject']);
  if (!row?.raw || row.state === 'filed') throw new UserError('This e-mail is filed already.');
  const message = await parseMessage(await decodeBase64(row.raw));
  const thread = await choose(row, message);
  if (!(await isOfCompany(env, thread, row.company_id)))
    throw new UserError(text('The record belongs to another company than {subject}.', { subject: row.subject ?? '' }));
  const { thread: copied, key } = await findCopy(env, row.company_id, message);
  if (copied?.model === thread.model && copied.id === thread.id) await settle(env, id, thread, 'same');
  else await fileOn(env, id, thread, message, { contact: row.partner_id, reason: 'person', key });
  await markContacts(env, row.company_id, message, row.partner_id);
  await env.sudo().model('mail.incoming').write([id], { state: 'filed' });
  return thread;
}
