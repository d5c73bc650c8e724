import type { Browser } from './browser.ts';

export interface Load {
  readonly acknowledged: readonly string[];
  /** How often each error was told, and how often there was no answer at all. */
  readonly refused: ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

export interface LoadOptions {
  readonly writers: number;
  /** Whom to ask next, by client and by how many it has asked. */
  readonly browserOf: (client: number, count: number) => Browser;
}

/** Clients that create one contact after the other and note what they were told. Their names begin with `partner `. */
export function startLoad({ writers, browserOf }: LoadOptions): Load {
  const acknowledged: string[] = [];
  const refused = new Map<string, number>();
  let isOver = false;
  const clients = Array.from({ length: writers }, async (_, client) => {
    for (let count = 0; !isOver; count++) {
      const name = `partner ${client}-${count}`;
      const body = { model: 'core.partner', method: 'create', args: [{ name }] };
      const told = await browserOf(client, count)
        .call(body)
        .then(
          ({ ok, error }) => (ok ? 'OK' : String(error?.code)),
          () => 'no answer',
        );
      if (told === 'OK') acknowledged.push(name);
      else refused.set(told, (refused.get(told) ?? 0) + 1);
    }
  });
  return {
    acknowledged,
    refused,
    async stop() {
      isOver = true;
      await Promise.all(clients);
    },
  };
}
