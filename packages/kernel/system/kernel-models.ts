import type { ModelDefinition } from '@kontor/orm';
import { coreUserApikey } from './apikey.ts';
import { sysAutomation } from './automation.ts';
import { sysChange, sysChangeSet } from './change-set.ts';
import { coreCompany } from './company.ts';
import { sysConfigParameter } from './config-parameter.ts';
import { sysCron, sysCronRun } from './cron.ts';
import { coreGroup } from './group.ts';
import { sysIdempotency, sysLog } from './log.ts';
import { mailQueue } from './mail-queue.ts';
import { sysField, sysModel, sysModelData } from './metadata.ts';
import { sysMigration, sysModule } from './module.ts';
import { sysNotification } from './notification.ts';
import { sysOutbox, sysSignal } from './outbox.ts';
import { sysPresence } from './presence.ts';
import { sysRateBucket } from './rate-bucket.ts';
import { sysAccess, sysRule } from './security.ts';
import { sysSequence } from './sequence.ts';
import { sysLoginAttempt, sysPasswordToken, sysSession } from './session.ts';
import { coreUser } from './user.ts';

/** The models that the kernel reads itself. */
export const kernelModels: readonly ModelDefinition[] = [
  coreCompany,
  coreGroup,
  coreUser,
  coreUserApikey,
  sysModule,
  sysMigration,
  sysModel,
  sysField,
  sysModelData,
  sysAccess,
  sysRule,
  sysSession,
  sysLoginAttempt,
  sysPasswordToken,
  sysRateBucket,
  sysSignal,
  sysOutbox,
  sysChangeSet,
  sysChange,
  sysPresence,
  sysNotification,
  sysCron,
  sysCronRun,
  mailQueue,
  sysSequence,
  sysConfigParameter,
  sysAutomation,
  sysLog,
  sysIdempotency,
];
