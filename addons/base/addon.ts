import {
  defineAddon,
  exportRoute,
  personalFile,
  type RouteRequest,
  showText,
  systemJobs,
  systemModels,
  systemTexts,
  textPreviewRoute,
} from '@kontor/addon';
import { baseCompany } from './models/company.ts';
import { coreCountry } from './models/country.ts';
import { coreCurrency } from './models/currency.ts';
import { coreLang } from './models/lang.ts';
import { corePartner } from './models/partner.ts';

export { contactWords } from './models/contact-words.ts';
export type * from './models/partner.ts';

export default defineAddon({
  models: [...systemModels, coreCurrency, coreCountry, coreLang, corePartner, baseCompany],
  jobs: systemJobs,
  texts: systemTexts,
  routes: [
    { method: 'GET', path: exportRoute, auth: 'session', handler: sendPersonal },
    { method: 'GET', path: textPreviewRoute, auth: 'session', handler: sendPreview },
  ],
});

async function sendPersonal({ env, params, query }: RouteRequest) {
  const listed = typeof query.file === 'string' && /^\d{1,9}$/.test(query.file) ? Number(query.file) : null;
  const { name, body, subject } = await personalFile(env, Number(params.id), listed);
  return {
    exported: { model: subject.model, ids: [subject.id] },
    headers: {
      'content-type': listed === null ? 'application/zip' : 'application/octet-stream',
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
      'cache-control': 'private, no-store',
    },
    body,
  };
}

/** Nothing in the page may run or load: it is a mail. */
async function sendPreview({ env, params, query }: RouteRequest) {
  const record = typeof query.record === 'string' && /^\d{1,9}$/.test(query.record) ? Number(query.record) : null;
  return {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
      'cache-control': 'private, no-store',
    },
    body: await showText(env, Number(params.id), record),
  };
}
