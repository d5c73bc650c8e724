import type { AccessPolicy, Env } from '../../env.ts';
import type { Registry } from '../../model/model.ts';

export interface BareEnvOptions {
  readonly policy: AccessPolicy;
  readonly groups?: readonly string[];
  readonly isSudo?: boolean;
  readonly companyId?: number | null;
  readonly uid?: number;
  readonly tz?: string;
}

/** As much of an env as compiling reads. */
export function bareEnv(registry: Registry, options: BareEnvOptions): Env {
  const uid = options.uid ?? 1;
  const companyId = options.companyId ?? null;
  return {
    registry,
    uid,
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
    isOutside: false,
    now: new Date('2026-11-14T09:30:00Z'),
  } as unknown as Env;
}
