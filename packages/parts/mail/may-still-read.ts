import type { Kernel } from '@kontor/kernel';
import { KontorError } from '@kontor/protocol';
import type { Mail } from './send-mail.ts';

/** Whether the recipient of a notification may read its record now, in one of their companies. Rights may have changed since it was written. */
export async function mayStillRead(
  kernel: Kernel,
  { userId, model, id }: NonNullable<Mail['reader']>,
): Promise<boolean> {
  const known = kernel.registry.models.get(model);
  const own = known ? await kernel.actor(userId) : null;
  if (!known || !own) return false;
  for (const companyId of known.hasCompany ? new Set([own.companyId, ...own.companyIds]) : [own.companyId]) {
    const actor = await kernel.actor(userId, companyId);
    if (actor && (await finds(kernel, actor, model, id))) return true;
  }
  return false;
}

async function finds(
  kernel: Kernel,
  actor: Parameters<Kernel['read']>[0],
  model: string,
  id: number,
): Promise<boolean> {
  try {
    return (await kernel.read(actor, (env) => env.model(model).count([['id', '=', id]]))) > 0;
  } catch (error) {
    if (error instanceof KontorError && error.code === 'ACCESS_DENIED') return false;
    throw error;
  }
}
