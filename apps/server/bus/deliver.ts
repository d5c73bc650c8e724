import type { Kernel } from '@kontor/kernel';
import { mayHear, type PublishedEvent } from '@kontor/parts';
import type { Audiences } from './audiences.ts';
import { textFrame } from './text-frame.ts';

/** Sends each event to those who may hear it: every frame is made once, and every client gets one write. */
export async function deliver(kernel: Kernel, audiences: Audiences, events: readonly PublishedEvent[]): Promise<void> {
  const forMany = events.filter((event) => event.userId === null);
  const frames = new Map(events.map((event) => [event, frameOf(event)]));
  const joined = (some: readonly PublishedEvent[]) => Buffer.concat(some.map((event) => frames.get(event) as Buffer));
  const whole = joined(forMany);
  for (const { actor, clients } of audiences.all()) {
    const heard = await kernel.read(actor, async (env) => forMany.filter((event) => mayHear(env, event)));
    if (heard.length === 0) continue;
    const bytes = heard.length === forMany.length ? whole : joined(heard);
    for (const client of clients) client.write(bytes);
  }
  for (const event of events) {
    if (event.userId === null) continue;
    for (const client of audiences.ofPerson(event.userId)) client.write(frames.get(event) as Buffer);
  }
}

function frameOf({ channel, payload }: PublishedEvent): Buffer {
  return textFrame(JSON.stringify({ channel, payload }));
}
