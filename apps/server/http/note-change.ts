import type { Kernel } from '@kontor/kernel';
import { rememberKeyWrite, rememberWrite } from '@kontor/parts';
import type { FastifyReply } from 'fastify';
import type { Caller } from '../guards/authenticate.ts';

/** Tells the caller how to undo what they did, and the replica what they must be shown. */
export async function noteChange(
  kernel: Kernel,
  caller: Caller,
  reply: FastifyReply,
  changeSet: number,
): Promise<void> {
  reply.header('x-change-set', String(changeSet));
  await rememberChange(kernel, caller);
}

/** Whoever changed something reads from then on what they changed. */
export async function rememberChange(kernel: Kernel, caller: Caller): Promise<void> {
  const position = await kernel.writePosition();
  if (position === null) return;
  if (caller.kind === 'session') await rememberWrite(kernel.database, caller.sessionId, position);
  else await rememberKeyWrite(kernel.database, caller.keyId, position);
}
