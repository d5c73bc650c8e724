import { type ActionCall, type Env, text, UserError, wordsIn } from '@kontor/addon';
import { archive, findDocument, openDocument } from '../document/archive.ts';
import { fileName, loadInvoice } from '../document/load-invoice.ts';
import { crossIndustryInvoice } from './cross-industry-invoice.ts';
import { missingFacts } from './missing-facts.ts';

/** The invoice as XML for public authorities; archived, and the same bytes ever after. */
export const downloadXRechnung = {
  label: 'XRechnung',
  icon: 'file-text',
  needs: 'read',
  single: 'Choose one invoice.',
  run: async ({ env, records }: ActionCall<'invoice.invoice'>) => {
    const { id, state } = await records.only('state');
    if (state !== 'posted') throw new UserError('Post the invoice first.');
    const known = await findDocument(env, id, 'xrechnung');
    return openDocument(known?.id ?? (await archiveXml(env, id)), 'xrechnung');
  },
} as const;

async function archiveXml(env: Env, id: number): Promise<number> {
  const invoice = await loadInvoice(env, id);
  const missing = missingFacts(invoice, 'xrechnung');
  if (missing.length > 0) {
    const { say } = wordsIn(env, env.actor.lang, 'invoice');
    throw new UserError(text('An XRechnung also needs: {facts}.', { facts: missing.map(say).join(', ') }));
  }
  const content = Buffer.from(crossIndustryInvoice(invoice, 'xrechnung'));
  const name = `${fileName(invoice.name)}.xml`;
  return archive(env, content, { invoice_id: id, kind: 'xrechnung', name, mimetype: 'application/xml' });
}
