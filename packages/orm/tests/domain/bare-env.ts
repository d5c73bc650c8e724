import type { Queryable } from '@kontor/database';
import { createEnv } from '../../create-env.ts';
import type { Env, Registry } from '../../model/model.ts';
import type { AccessPolicy } from '../../model/policy.ts';

export interface BareEnvOptions {
  readonly policy: AccessPolicy;
  readonly groups?: readonly string[];
  readonly isSudo?: boolean;
  readonly companyId?: number | null;
  readonly uid?: number;
  readonly tz?: string;
}

const refuse = () => Promise.reject(new Error('Compiling a domain asks no database.'));
const noDatabase: Queryable = {
  query: refuse,
  arrays: refuse,
  json: refuse,
  csv: refuse,
  execute: refuse,
  statements: 0,
};

/** An env without a database, for what only compiles. */
export function bareEnv(registry: Registry, options: BareEnvOptions): Env {
  const uid = options.uid ?? 1;
  const companyId = options.companyId ?? null;
  return createEnv({
    registry,
    db: noDatabase,
    actor: {
      uid,
      groups: new Set(options.groups),
      companyId,
      companyIds: companyId === null ? [] : [companyId],
      lang: 'en_US',
      tz: options.tz ?? 'UTC',
    },
    policy: options.policy,
    isSudo: options.isSudo ?? false,
    now: new Date('2026-11-14T09:30:00Z'),
  });
}
