import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { answerMessage, type Conversation, unreadable } from './protocol.ts';

/** One message per line, in and out, until the client ends. Calls run concurrently. */
export async function serveStdio(conversation: Conversation, input: Readable, output: Writable): Promise<void> {
  const running = new Set<Promise<void>>();
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue;
    const work = answerLine(conversation, line).then((answer) => {
      if (answer) output.write(`${JSON.stringify(answer)}\n`);
    });
    running.add(work);
    void work.finally(() => running.delete(work));
  }
  await Promise.all(running);
}

async function answerLine(conversation: Conversation, line: string): Promise<object | null> {
  try {
    return await answerMessage(conversation, JSON.parse(line));
  } catch {
    return unreadable();
  }
}
