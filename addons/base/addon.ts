import { defineAddon, systemJobs, systemModels } from '@kontor/addon';
import { coreCountry } from './models/country.ts';
import { coreCurrency } from './models/currency.ts';
import { coreLang } from './models/lang.ts';
import { corePartner } from './models/partner.ts';

export { contactWords } from './models/contact-words.ts';
export type * from './models/partner.ts';

export default defineAddon({
  models: [...systemModels, coreCurrency, coreCountry, coreLang, corePartner],
  jobs: systemJobs,
});
