import { type Env, mayAccessModel } from '@kontor/orm';
import type { PublishedEvent } from './read-outbox.ts';

/** Whether an event may be told to the env's person: to whom it is addressed, else by model access and company. */
export function mayHear(env: Env, { model: name, companyId, userId }: PublishedEvent): boolean {
  if (userId !== null) return userId === env.uid;
  if (name === null) return true;
  const model = env.registry.models.get(name);
  if (!model || !mayAccessModel(env, model, 'read')) return false;
  const isCompanys = companyId !== null && model.hasCompany && model.companyRule !== false;
  return !isCompanys || companyId === env.actor.companyId;
}
