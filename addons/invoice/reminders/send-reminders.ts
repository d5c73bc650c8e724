import type { Letter } from '@addons/sale';
import {
  type ActionCall,
  addDays,
  canMail,
  type Draft,
  type Env,
  open,
  text,
  UserError,
  withPrefix,
} from '@kontor/addon';
import { archive } from '../document/archive.ts';
import { reminderMails } from '../document/invoice-texts.ts';
import { fileName, loadInvoice, type PrintedInvoice } from '../document/load-invoice.ts';
import { letterFor, mailDocument } from '../document/send-invoices.ts';
import { drawReminder } from './draw-reminder.ts';

export const reminderPaths = [
  ...(['type', 'payment_state', 'due_date', 'no_reminders', 'reminder_ids.step', 'reminder_ids.date'] as const),
  ...withPrefix('company_id', ['invoice_reminder_1', 'invoice_reminder_2', 'invoice_reminder_3']),
] as const;

/**
 * The step of the reminder that is due today; 0 if none is. Each step has its days after the due date; whoever was reminded late is
 * given the days between the steps.
 */
export function dueStep(invoice: Draft<'invoice.invoice', (typeof reminderPaths)[number]>, today: string): number {
  const { company_id: company, due_date: due } = invoice;
  const isOpen = invoice.type === 'invoice' && invoice.payment_state === 'overdue' && !invoice.no_reminders;
  if (!isOpen || due === null || company === null) return 0;
  const days = [0, company.invoice_reminder_1, company.invoice_reminder_2, company.invoice_reminder_3];
  const sent = Math.max(0, ...invoice.reminder_ids.map(({ step }) => step ?? 0));
  const next = days[sent + 1];
  if (next === undefined) return 0;
  const last = invoice.reminder_ids.find(({ step }) => step === sent)?.date;
  const waited = last ? addDays(last, Math.max(1, next - (days[sent] ?? 0))) : due;
  return today >= addDays(due, next) && today >= waited ? sent + 1 : 0;
}

/**
 * Mails each reminder that is due. Customers without an e-mail address get a letter, and so do all if no mail server is set up: it is
 * archived, and the letters are listed to be printed.
 */
export async function sendReminders({ env, records }: ActionCall<'invoice.invoice'>) {
  const due = await records.load('name', 'reminder_step');
  const mails = await canMail(env);
  const printed: number[] = [];
  for (const { id, name, reminder_step: step } of due) {
    if (step === 0) throw new UserError(text('No reminder is due for {number}.', { number: name ?? '' }));
    const invoice = await loadInvoice(env, id);
    // As the server: nobody writes reminders by hand. Two who send the same one meet here.
    const reminders = env.sudo().model('invoice.reminder');
    const reminder = await reminders.create({ invoice_id: id, step });
    const letter = await letterFor(env, invoice, reminderMails[step - 1] ?? reminderMails[0]);
    const isMailed = mails && letter.recipient !== null;
    const document = isMailed
      ? await mailDocument(env, invoice, letter, 'reminder')
      : await keepLetter(env, invoice, letter, step);
    if (!isMailed) printed.push(document);
    await reminders.write([reminder], { document_id: document });
  }
  if (printed.length === 0) return undefined;
  return open('invoice.document', { action: 'invoice.documents', view: 'list', domain: [['id', 'in', printed]] });
}

async function keepLetter(env: Env, invoice: PrintedInvoice, letter: Letter, step: number): Promise<number> {
  const name = `${fileName(invoice.name)}-${step}.pdf`;
  return archive(env, await drawReminder(env, invoice, letter), { invoice_id: invoice.id, kind: 'reminder', name });
}
