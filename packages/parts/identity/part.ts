import { sql } from '@kontor/database';
import { definePart } from '@kontor/kernel';
import { coreUserApikey, keyCache } from './api-keys.ts';
import { sysRateBucket } from './call-allowance.ts';
import { coreCompany } from './company.ts';
import { coreUserFactor } from './factors/factor.ts';
import { coreUserRecovery } from './factors/recovery-codes.ts';
import { sysSignInStep } from './factors/sign-in-step.ts';
import { sysPasswordToken } from './password-reset.ts';
import { actorCache, hasUsers, policyCache } from './rights.ts';
import { coreGroup, sysAccess, sysRule } from './security.ts';
import { cleanSessions, sysSession } from './sessions.ts';
import { sysLoginAttempt } from './sign-in.ts';
import { coreUser } from './user.ts';
import { coreHoliday, coreLeave, coreSchedule } from './working-hours.ts';

/** Users, authentication and access rights. */
export const identityPart = definePart({
  name: 'identity',
  models: [
    ...[coreCompany, coreGroup, coreUser, coreUserApikey, sysAccess, sysRule],
    ...[sysSession, sysLoginAttempt, sysPasswordToken, sysRateBucket, sysSignInStep],
    ...[coreUserFactor, coreUserRecovery, coreSchedule, coreHoliday, coreLeave],
  ],
  signals: { rights: ['core.user', 'core.user.apikey', 'core.group', 'core.company', 'sys.access', 'sys.rule'] },
  caches: [policyCache, actorCache, keyCache],
  rights: { policy: policyCache, actor: actorCache, hasUsers },
  jobs: [cleanSessions],
  expires: {
    clean_sessions: [
      { model: 'sys.login.attempt', column: 'at', age: '1 day' },
      { model: 'sys.rate.bucket', column: 'at', age: '5 minutes' },
    ],
  },
  counts: {
    'identity.companies': sql`select count(*) from core_company where active`,
    'identity.people': sql`select count(*) from core_user where active`,
    'identity.keys': sql`
      select count(*) from core_user_apikey where active and (expires_at is null or expires_at > now())`,
  },
});
