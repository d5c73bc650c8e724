import { definePart } from '@kontor/kernel';
import { extendChain } from './chain.ts';
import { sysAuditCheck } from './check.ts';
import { dropOldAudit } from './retention.ts';
import { sysAudit, sysAuditSegment } from './trail.ts';

/** The audit trail. Units of work write their change sets as usual; a job chains them later. */
export const auditPart = definePart({
  name: 'audit',
  models: [sysAudit, sysAuditSegment, sysAuditCheck],
  jobs: [{ name: 'extend_audit', runAsSystem: ({ database }, signal) => extendChain(database, signal) }, dropOldAudit],
});
