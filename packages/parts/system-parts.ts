import { exchangePart } from '@kontor/exchange';
import { kernelPart, type Part, type SystemJobSpec } from '@kontor/kernel';
import type { ModelDefinition, TextDefinition } from '@kontor/orm';
import { workspacePart } from '@kontor/workspace';
import { agentsPart } from './agents/part.ts';
import { auditPart } from './audit/part.ts';
import { automationsPart } from './automations/part.ts';
import { changeLogPart } from './change-log/change-set.ts';
import { customisePart } from './customise/part.ts';
import { eventsPart } from './events/part.ts';
import { invitationText, noticeText, resetText } from './identity/identity-texts.ts';
import { identityPart } from './identity/part.ts';
import { jobsPart } from './jobs/part.ts';
import { systemJobsOf } from './jobs/system-jobs.ts';
import { logsPart } from './logs/log.ts';
import { testText } from './mail/mail-server.ts';
import { mailPart } from './mail/part.ts';
import { mailQueueTable } from './mail/start-mail.ts';
import { personalPart } from './personal/request.ts';
import { presencePart } from './presence/presence.ts';
import { queriesPart } from './queries/asked-query.ts';
import type { QueueTable } from './queue/measure-queues.ts';
import { settingsPart } from './settings/config-parameter.ts';
import { textsPart } from './texts/part.ts';

/** The components of the running application, besides its addons. */
export const systemParts: readonly Part[] = [
  ...[identityPart, kernelPart, settingsPart],
  ...[changeLogPart, auditPart, eventsPart, presencePart, automationsPart, personalPart, agentsPart],
  ...[jobsPart, mailPart, textsPart, logsPart, queriesPart, customisePart],
  ...[workspacePart, exchangePart],
];

/**
 * The models of all parts. They belong to the module `base`, whose addon lists them.
 *
 * @example
 * export default defineAddon({ models: [...systemModels] });
 */
export const systemModels: readonly ModelDefinition[] = systemParts.flatMap(({ models }) => models);

/**
 * The jobs of all parts. They belong to the module `base`, whose addon lists them and whose data contain the schedules.
 *
 * @example
 * export default defineAddon({ jobs: [...systemJobs] });
 */
export const systemJobs: readonly SystemJobSpec[] = systemJobsOf(systemParts);

/**
 * The texts of all parts. They belong to the module `base`, whose addon lists them.
 *
 * @example
 * export default defineAddon({ texts: systemTexts });
 */
export const systemTexts: readonly TextDefinition[] = [invitationText, resetText, noticeText, testText];

/** The queues of the parts. */
export const systemQueues: readonly QueueTable[] = [mailQueueTable];
