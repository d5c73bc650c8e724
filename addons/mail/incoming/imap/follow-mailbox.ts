import type { Env, WorkerCall } from '@kontor/addon';
import { receive } from '../receive.ts';
import { type Fetched, type ImapSettings, type OpenFolder, openFolder, type Position } from './open-mailbox.ts';

export const leaseSeconds = 60;
/** Messages that are stored in one transaction. */
const batch = 20;
const batchBytes = 10_000_000;

export interface HeldMailbox {
  readonly id: number;
  readonly company_id: number;
  /** Unique for each claim: a process that lost its lease stores nothing more. */
  readonly claim: string;
  readonly settings: ImapSettings;
  readonly position: Position | null;
  readonly start: Start;
}

/** What arrived before is left in the mailbox, or is history. */
export interface Start {
  readonly at: Date | null;
  readonly takesHistory: boolean;
}

/** Clocks differ: an e-mail from the minutes before is rather taken than lost. */
const clockMs = 600_000;

export function startIn(at: string | null, starts: string): Start {
  return { at: at === null ? null : new Date(Date.parse(at) - clockMs), takesHistory: starts === 'history' };
}

export type Follow = Pick<WorkerCall, 'step' | 'signal'>;

/** Fetches new messages and waits for more, until the lease is lost, the connection ends or `signal` is aborted. */
export async function followMailbox(mailbox: HeldMailbox, { step, signal }: Follow): Promise<void> {
  const lost = new AbortController();
  const ending = AbortSignal.any([signal, lost.signal]);
  const renewing = setInterval(
    () => void step((env) => renew(env, mailbox)).catch(() => lost.abort()),
    (leaseSeconds / 3) * 1_000,
  );
  let folder: OpenFolder | null = null;
  try {
    folder = await openFolder(mailbox.settings);
    let { position } = mailbox;
    while (!ending.aborted) {
      const uids = await folder.uidsAfter(position, skippedBefore(mailbox));
      position = await takeAll(folder, uids, { mailbox, step, ending, position });
      if (ending.aborted) break;
      await step((env) => note(env, mailbox, { last_error: null, failures: 0, left_count: 0 }));
      await folder.wait(ending);
    }
  } finally {
    clearInterval(renewing);
    await folder?.close();
  }
}

function skippedBefore({ start }: HeldMailbox): Date | null {
  return start.takesHistory ? null : start.at;
}

interface Taking {
  readonly mailbox: HeldMailbox;
  readonly step: Follow['step'];
  readonly ending: AbortSignal;
  readonly position: Position | null;
}

/** In parts: each is stored together with its position, so that a crash neither loses nor repeats a message. */
async function takeAll(folder: OpenFolder, uids: readonly number[], taking: Taking): Promise<Position | null> {
  const { mailbox, step, ending } = taking;
  let { position } = taking;
  for (let at = 0; at < uids.length && !ending.aborted; ) {
    const taken: Fetched[] = [];
    let bytes = 0;
    while (at < uids.length && taken.length < batch && bytes < batchBytes) {
      const uid = uids[at++] as number;
      const message = await folder.fetch(uid, skippedBefore(mailbox));
      position = { validity: folder.validity, uid };
      if (message === null) continue;
      taken.push(message);
      bytes += message.raw.byteLength;
    }
    const [reached, left] = [position as Position, uids.length - at];
    await step(async (env) => {
      await note(env, mailbox, { position: `${reached.validity} ${reached.uid}`, left_count: left });
      for (const { raw, at: arrived } of taken)
        await receive(env, { raw, mailbox, history: historyOf(mailbox, arrived) });
    });
  }
  return position;
}

/** When it arrived, if that makes it history. */
function historyOf({ start }: HeldMailbox, arrived: Date | null): string | null {
  return start.takesHistory && start.at !== null && arrived !== null && arrived < start.at
    ? arrived.toISOString()
    : null;
}

interface Progress {
  readonly position?: string;
  readonly left_count?: number;
  readonly last_error?: null;
  readonly failures?: number;
}

/** Fails if the lease was lost: another process has the mailbox. */
async function note(env: Env, mailbox: HeldMailbox, progress: Progress): Promise<void> {
  await renew(env, mailbox);
  await env.sudo().model('mail.mailbox').write([mailbox.id], progress);
}

async function renew(env: Env, { id, claim }: HeldMailbox): Promise<void> {
  const mailboxes = env.sudo().model('mail.mailbox');
  const [row] = await mailboxes.searchRead(
    [
      ['id', '=', id],
      ['locked_by', '=', claim],
      ['active', '=', true],
    ],
    ['locked_until'],
  );
  if (!row) throw new Error('The mailbox was taken over, changed or switched off.');
  await mailboxes.write([id], { locked_until: new Date(env.now.getTime() + leaseSeconds * 1_000).toISOString() });
}

/** `validity uid`, as it is stored. */
export function positionIn(stored: string | null): Position | null {
  const [, validity, uid] = /^(\d+) (\d+)$/.exec(stored ?? '') ?? [];
  return validity === undefined ? null : { validity, uid: Number(uid) };
}
