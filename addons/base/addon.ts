import {
  checkRight,
  defineAddon,
  defineText,
  exportRoute,
  fileAnswer,
  personalFile,
  type RouteRequest,
  showText,
  systemJobs,
  systemModels,
  systemTexts,
  textMail,
  textPreviewRoute,
} from '@kontor/addon';
import { baseCompany } from './models/company.ts';
import { coreCountry } from './models/country.ts';
import { coreCurrency } from './models/currency.ts';
import { coreCurrencyRate } from './models/currency-rate.ts';
import { coreLang } from './models/lang.ts';
import { corePartner } from './models/partner.ts';
import { followRates } from './rates/keep-rates.ts';

export { contactWords } from './models/contact-words.ts';
export type * from './models/currency.ts';
export type * from './models/currency-rate.ts';
export type * from './models/partner.ts';
export { convertAmounts, withLines } from './rates/convert-amounts.ts';
export * from './rates/rate-on.ts';

const frameSample = defineText('base.frame_sample', {
  label: 'Preview of e-mails',
  subject: 'Your enquiry',
  body: [
    'Hello,',
    'this is how an e-mail to people outside looks. Logo, colour, address and small print are those of the company.',
  ],
  button: 'View online',
  values: {},
});

export default defineAddon({
  models: [...systemModels, coreCurrency, coreCurrencyRate, coreCountry, coreLang, corePartner, baseCompany],
  jobs: [
    ...systemJobs,
    /** When a day begins, currencies have the rates that were entered for it. */
    { name: 'follow_rates', run: ({ env }) => followRates(env) },
  ],
  texts: [...systemTexts, frameSample],
  routes: [
    { method: 'GET', path: exportRoute, auth: 'session', handler: sendPersonal },
    { method: 'GET', path: textPreviewRoute, auth: 'session', handler: sendPreview },
    {
      method: 'GET',
      path: '/web/companies/:id(^\\d{1,9})/mail.html',
      auth: 'session',
      handler: sendFramePreview,
    },
  ],
});

async function sendPersonal({ env, params, query }: RouteRequest) {
  const listed = typeof query.file === 'string' && /^\d{1,9}$/.test(query.file) ? Number(query.file) : null;
  const { name, body, subject } = await personalFile(env, Number(params.id), listed);
  return {
    exported: { model: subject.model, ids: [subject.id] },
    ...fileAnswer({ name, content: body, ...(listed === null && { type: 'application/zip' }) }),
  };
}

/** Nothing in the page may run or load: it is a mail. */
const mailHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; sandbox",
  'cache-control': 'private, no-store',
} as const;

async function sendPreview({ env, params, query }: RouteRequest) {
  const record = typeof query.record === 'string' && /^\d{1,9}$/.test(query.record) ? Number(query.record) : null;
  return { headers: mailHeaders, body: await showText(env, Number(params.id), record) };
}

/** How an e-mail of a company looks, in the language of the caller. */
async function sendFramePreview({ env, params }: RouteRequest) {
  const id = Number(params.id);
  await checkRight(env, 'core.company', [id], 'read');
  const { lang } = env.actor;
  const mail = await textMail(env, frameSample, {
    ...{ to: 'preview@example.com', lang, companyId: id, values: {}, isFramed: true, isPreview: true },
    href: 'https://example.com/',
  });
  return { headers: mailHeaders, body: mail.html };
}
