import { defineAddon } from '@kontor/addon';
import { scanDuplicates } from './duplicates/scan-duplicates.ts';
import { partnerContacts } from './models/partner.ts';
import { corePartnerDuplicate } from './models/partner-duplicate.ts';
import { corePartnerEmail } from './models/partner-email.ts';
import { corePartnerPhone } from './models/partner-phone.ts';
import { corePartnerTag } from './models/partner-tag.ts';

export { chosenIn, combinedValues } from './merge/combined-values.ts';
export { compareRecords } from './merge/compare-records.ts';
export { moveReferences } from './merge/move-references.ts';
export { addressPosition, positionFields, positionPaths, wholePosition } from './models/position.ts';

export default defineAddon({
  models: [corePartnerTag, corePartnerEmail, corePartnerPhone, partnerContacts, corePartnerDuplicate],
  jobs: [
    {
      name: 'find_duplicates',
      run: async ({ env }) => {
        await scanDuplicates(env);
      },
    },
  ],
});
