import { defineAddon } from '@kontor/addon';
import { crmLead } from './models/lead.ts';
import { crmLostReason } from './models/lost-reason.ts';
import { partnerLeads } from './models/partner.ts';
import { crmSettings } from './models/settings.ts';
import { crmStage } from './models/stage.ts';
import { crmTag } from './models/tag.ts';
import { crmTeam } from './models/team.ts';
import { crmUser } from './models/user.ts';

export type * from './models/lead.ts';
export type * from './models/lead.ts';
export type * from './models/lead-fields.ts';

export default defineAddon({
  models: [crmTeam, crmStage, crmTag, crmLostReason, crmLead, ...crmSettings, partnerLeads, crmUser],
});
