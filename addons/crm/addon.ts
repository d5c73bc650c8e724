import { defineAddon } from '@kontor/addon';
import { incomingLead } from './models/incoming.ts';
import { crmLead } from './models/lead.ts';
import { crmLostReason } from './models/lost-reason.ts';
import { partnerLeads } from './models/partner.ts';
import { crmSettings } from './models/settings.ts';
import { crmStage } from './models/stage.ts';
import { crmTag } from './models/tag.ts';
import { teamLeads } from './models/team.ts';

export type * from './models/lead.ts';

export default defineAddon({
  models: [teamLeads, crmStage, crmTag, crmLostReason, crmLead, ...crmSettings, partnerLeads, incomingLead],
});
