import { anyModel, checkRight, type Env, KontorError, text } from '@kontor/addon';

/** A record with a chatter. */
export interface Thread {
  readonly model: string;
  readonly id: number;
}

export interface ThreadDetails extends Thread {
  readonly name: string;
  readonly companyId: number | null;
}

/** Throws unless the model has a chatter (404) and the caller may read the record (404, 403). */
export async function checkThread(env: Env, { model, id }: Thread): Promise<void> {
  if (env.registry.model(model).chatter === null) {
    throw new KontorError('NOT_FOUND', text('{model} has no chatter.', { model: env.registry.model(model).label }), {
      model,
    });
  }
  await checkRight(env, model, [id], 'read');
}

/** Users who may write the record may comment on it; a model can open comments to its readers. */
export async function checkMayComment(env: Env, thread: Thread): Promise<void> {
  await checkThread(env, thread);
  if (env.registry.model(thread.model).chatter?.readersComment) return;
  await checkRight(env, thread.model, [thread.id], 'write');
}

/** A user of the portal alone: notes of colleagues stay inside the company. */
export function isGuest({ actor }: Pick<Env, 'actor'>): boolean {
  return actor.groups.has('base.group_portal') && !actor.groups.has('base.group_user');
}

/** What a guest reads of messages: what is shared with customers, e-mails, changes, and what they wrote themselves. */
export function isOpenToGuests(
  message: { readonly kind: string; readonly author_id: number | null; readonly is_shared: boolean },
  uid: number,
): boolean {
  return message.is_shared || message.author_id === uid || openKinds.some((kind) => kind === message.kind);
}

const openKinds = ['email', 'tracking'] as const;

/** The same as a domain over messages; `path` leads to them. Empty for colleagues. */
export function messagesFor<Path extends '' | 'message_id.'>(env: Pick<Env, 'actor' | 'uid'>, path: Path) {
  if (!isGuest(env)) return [];
  const name = <Name extends string>(field: Name) => `${path}${field}` as const;
  return [
    ...(['|', '|', [name('is_shared'), '=', true], [name('author_id'), '=', env.uid]] as const),
    [name('kind'), 'in', openKinds] as const,
  ];
}

/** Whether a check lets the caller through. */
export async function isAllowed(check: Promise<void>): Promise<boolean> {
  try {
    await check;
    return true;
  } catch (error) {
    if (error instanceof KontorError) return false;
    throw error;
  }
}

/** The messages about the record; read by the server, for users who may read it. */
export async function threadDetails(env: Env, { model, id }: Thread): Promise<ThreadDetails> {
  const { hasCompany } = env.registry.model(model);
  const fields = ['display_name', ...(hasCompany ? ['company_id'] : [])];
  const [record] = await anyModel(env.sudo(), model).read([id], fields);
  const companyId = typeof record?.company_id === 'number' ? record.company_id : null;
  return { model, id, name: String(record?.display_name ?? ''), companyId };
}
