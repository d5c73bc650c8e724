import { busyTimer } from './idle.ts';
import { rpc, searchRead } from './rpc.ts';

const waiting = new Map<string, () => void>();

/** Keeps a person's own choice on the server. Quick changes of one key are one call. */
export function saveSetting(key: string, value: unknown, delay = 400): void {
  waiting.get(key)?.();
  const cancel = busyTimer(() => {
    waiting.delete(key);
    void store(key, value);
  }, delay);
  waiting.set(key, cancel);
}

async function store(key: string, value: unknown): Promise<void> {
  const model = 'sys.user.setting';
  const [found] = await searchRead(model, [['key', '=', key]], ['id'], { limit: 1 });
  if (found) await rpc({ model, method: 'write', args: [[found.id], { value }] });
  else await rpc({ model, method: 'create', args: [{ key, value }] });
}
