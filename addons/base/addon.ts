import { defineAddon, exportRoute, personalFile, type RouteRequest, systemJobs, systemModels } from '@kontor/addon';
import { coreCountry } from './models/country.ts';
import { coreCurrency } from './models/currency.ts';
import { coreLang } from './models/lang.ts';
import { corePartner } from './models/partner.ts';

export { contactWords } from './models/contact-words.ts';
export type * from './models/partner.ts';

export default defineAddon({
  models: [...systemModels, coreCurrency, coreCountry, coreLang, corePartner],
  jobs: systemJobs,
  routes: [{ method: 'GET', path: exportRoute, auth: 'session', handler: sendPersonal }],
});

async function sendPersonal({ env, params }: RouteRequest) {
  const { zip, subject } = await personalFile(env, Number(params.id));
  return {
    exported: { model: subject.model, ids: [subject.id] },
    headers: {
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename="personal-data.zip"',
      'cache-control': 'private, no-store',
    },
    body: zip,
  };
}
