import { defineAddon, exportRoute, personalFile, type RouteRequest, systemJobs, systemModels } from '@kontor/addon';
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
  routes: [{ method: 'GET', path: exportRoute, auth: 'session', handler: sendPersonal }],
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
