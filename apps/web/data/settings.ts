import { busyTimer } from '../state/idle.ts';
import { rpc, searchRead } from './rpc.ts';

const waiting = new Map<string, () => void>();

interface SettingOptions {
  readonly delay?: number;
  /** The value is an object whose keys are merged into the stored ones. */
  readonly isMerged?: boolean;
}

/** Stores a user's setting on the server. Quick changes of one key become one call. */
export function saveSetting(key: string, value: unknown, { delay = 400, isMerged = false }: SettingOptions = {}): void {
  waiting.get(key)?.();
  const cancel = busyTimer(() => {
    waiting.delete(key);
    // If saving fails, the setting lasts until the page is left. No error is shown.
    store(key, value, isMerged).catch(() => {});
  }, delay);
  waiting.set(key, cancel);
}

async function store(key: string, value: unknown, isMerged: boolean): Promise<void> {
  const model = 'sys.user.setting';
  const [found] = await searchRead(model, [['key', '=', key]], ['value'], { limit: 1 });
  if (!found) return void (await rpc({ model, method: 'create', args: [{ key, value }] }));
  const kept = isMerged && typeof found.value === 'object' ? { ...found.value, ...(value as object) } : value;
  await rpc({ model, method: 'write', args: [[found.id], { value: kept }] });
}
