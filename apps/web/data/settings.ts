import { busyTimer } from '../state/idle.ts';
import { rpc, searchRead } from './rpc.ts';

const waiting = new Map<string, () => void>();

interface SettingOptions {
  readonly delay?: number;
  /** The value is an object whose keys are added to those that are kept already. */
  readonly isMerged?: boolean;
}

/** Keeps a person's own choice on the server. Quick changes of one key are one call. */
export function saveSetting(key: string, value: unknown, { delay = 400, isMerged = false }: SettingOptions = {}): void {
  waiting.get(key)?.();
  const cancel = busyTimer(() => {
    waiting.delete(key);
    // If saving fails, the choice holds until the page is left. No error is shown.
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
