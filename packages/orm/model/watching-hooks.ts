import type { HookSpec } from './model.ts';

/** Whether the hooks around a write run if it sets these fields. */
export function isHookDue({ on }: HookSpec, names: readonly string[]): boolean {
  return on === undefined || on.some((name) => names.includes(name));
}
