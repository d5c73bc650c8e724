import { type ActionCall, type Env, openPath, text, UserError, wordsIn } from '@kontor/addon';
import { archive } from '../document/archive.ts';
import { loadInvoice } from '../document/load-invoice.ts';
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
    return openPath(`/web/invoice/document/${await archivedXml(env, id)}.xml`);
  },
} as const;

async function archivedXml(env: Env, id: number): Promise<number> {
  const [known] = await env.model('invoice.document').search(
    [
      ['invoice_id', '=', id],
      ['kind', '=', 'xrechnung'],
    ],
    { limit: 1 },
  );
  if (known !== undefined) return known;
  const invoice = await loadInvoice(env, id);
  const missing = missingFacts(invoice, 'xrechnung');
  if (missing.length > 0) {
    const { say } = wordsIn(env, env.actor.lang, 'invoice');
    throw new UserError(text('An XRechnung also needs: {facts}.', { facts: missing.map(say).join(', ') }));
  }
  const pdf = Buffer.from(crossIndustryInvoice(invoice, 'xrechnung'));
  const name = `${(invoice.name ?? '').replaceAll(/[^\p{L}\p{N}.-]+/gu, '_')}.xml`;
  return archive(env, id, { kind: 'xrechnung', name, pdf, mimetype: 'application/xml' });
}
