import { defineAddon } from '@kontor/addon';
import { crmCompany } from './models/company.ts';
import { crmLead } from './models/lead.ts';
import { crmLeadHandOver } from './models/lead-hand-over.ts';
import { crmLeadLose } from './models/lead-lose.ts';
import { crmLeadMerge } from './models/lead-merge.ts';
import { crmLostReason } from './models/lost-reason.ts';
import { partnerLeads } from './models/partner.ts';
import { crmSettings } from './models/settings.ts';
import { crmStage } from './models/stage.ts';
import { crmTag } from './models/tag.ts';
import { crmTeam } from './models/team.ts';

export type * from './models/lead.ts';
export type * from './models/lead.ts';
export type * from './models/lead-fields.ts';

export default defineAddon({
  models: [
    crmTeam,
    crmStage,
    crmTag,
    crmLostReason,
    crmLead,
    crmLeadLose,
    crmLeadMerge,
    crmLeadHandOver,
    crmCompany,
    crmSettings,
    partnerLeads,
  ],
});
