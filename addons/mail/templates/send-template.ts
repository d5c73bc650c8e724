import { type ActionCall, type fields, isMailAddress, text, UserError, ValidationError } from '@kontor/addon';
import { sendMessage } from '../chatter/send-message.ts';
import { suggestRecipients } from '../chatter/suggest-recipients.ts';
import { chosenRecord } from './preview.ts';
import { fillTemplate } from './use-template.ts';

type Asked = { readonly record: ReturnType<typeof fields.reference>; readonly to: ReturnType<typeof fields.char> };

/** Sends a template about a record, as a message that its sender wrote: with their rights, their signature, and ten seconds for undo. */
export async function sendTemplate({ env, records, answers }: ActionCall<'mail.template', Asked>): Promise<void> {
  const { id: template, model } = await records.only('model');
  const id = chosenRecord(env, model, answers.record);
  if (env.registry.model(model).chatter === null) {
    throw new UserError(text('{model} has no chatter.', { model: env.registry.model(model).label }));
  }
  const given = answers.to?.trim() || null;
  if (given !== null && !isMailAddress(given)) throw new ValidationError({ to: ['Enter a valid e-mail address.'] });
  const to = given ?? (await suggestRecipients(env, { model, id })).to[0]?.address;
  if (!to) throw new ValidationError({ to: ['Add a recipient.'] });
  const { subject, body, lang } = await fillTemplate(env, { template, model, id });
  await sendMessage(env, { model, id }, { to: [to], subject, body, lang, files: [], at: null, key: '' });
}
