import type { RpcCall } from './rpc-calls.ts';
import type { TestPage } from './test-page.ts';

declare global {
  interface Window {
    heldReads?: { readonly asked: string; readonly release: (status?: number) => void }[];
  }
}

export interface HeldReads {
  /** Waits until so many answers are held. */
  wait(count: number): Promise<void>;
  /** Answers those at these places, in this order and within one task, so that all come before the next frame. */
  answer(...order: readonly number[]): Promise<void>;
  /** Answers one with an error of the server. */
  fail(at: number): Promise<void>;
  /** Answers all that are held, in this order, and holds nothing from now on. */
  stop(): Promise<void>;
}

/** From now on `search_read` calls and workspaces are asked for, and their answers held in the page until they are released. */
export async function holdReads({ page, idle }: TestPage): Promise<HeldReads> {
  await page.evaluate(() => {
    const send = window.fetch;
    const held: NonNullable<Window['heldReads']> = [];
    window.heldReads = held;
    window.fetch = async (url, options) => {
      const call = typeof options?.body === 'string' ? (JSON.parse(options.body) as RpcCall) : null;
      const isScreen = /\/workspace\?.*view_type=(kanban|calendar)/.test(String(url));
      const isRead = call?.method === 'search_read' || isScreen;
      if (!isRead || window.heldReads !== held) return send(url, options);
      const answer = await send(url, options);
      const text = await answer.text();
      return new Promise<Response>((resolve) => {
        const release = (status = answer.status) =>
          resolve(new Response(status === answer.status ? text : '{}', { status, headers: answer.headers }));
        held.push({ asked: String(url), release });
      });
    };
  });
  const release = (order: readonly number[], status?: number) =>
    page.evaluate(
      ([places, given]) => {
        const held = window.heldReads ?? [];
        const chosen = places.map((at) => held[at]);
        window.heldReads?.splice(0, held.length, ...held.filter((one) => !chosen.includes(one)));
        for (const one of chosen) one?.release(given ?? undefined);
      },
      [order, status ?? null] as const,
    );
  return {
    async wait(count) {
      await page.waitForFunction((wanted) => (window.heldReads?.length ?? 0) >= wanted, count);
    },
    answer: (...order) => release(order),
    fail: (at) => release([at], 500),
    async stop() {
      await page.evaluate(() => {
        const held = window.heldReads ?? [];
        delete window.heldReads;
        for (const one of held) one.release();
      });
      await idle();
    },
  };
}
