import { useEffect } from 'react';
import { createStore } from '../state/store.ts';

interface ScreenCommand {
  readonly key: string;
  readonly label: string;
  readonly icon?: string | undefined;
  readonly isDisabled?: boolean | undefined;
  run(): void;
}

/** Menu items that are on screen, so that the command palette can list them. */
const offered = createStore<ReadonlyMap<string, readonly ScreenCommand[]>>(new Map());

/** Adds menu items to the command palette while the component is mounted. */
export function useScreenCommands(key: string, entries: readonly ScreenCommand[]): void {
  useEffect(() => {
    offered.set((now) => new Map(now).set(key, entries));
  });
  useEffect(
    () => () =>
      offered.set((now) => {
        const rest = new Map(now);
        rest.delete(key);
        return rest;
      }),
    [key],
  );
}

/** The buttons of the toolbar and the items of its menus, as palette commands. */
export function screenCommands(): readonly ScreenCommand[] {
  const menus = [...offered.get().values()].flat().filter((entry) => !entry.isDisabled);
  return [
    ...barCommands(),
    ...menus.map(({ key, label, icon, run }) => ({ key: `menu-${key}`, label, ...(icon ? { icon } : {}), run })),
  ];
}

function barCommands(): readonly ScreenCommand[] {
  const pressed =
    'main .bar button.btn:not(:disabled):not([aria-disabled="true"]), main .bar .seg a:not([aria-current]), main .form-stat';
  return [...document.querySelectorAll<HTMLElement>(pressed)].flatMap((element, index) => {
    const label = (
      element.getAttribute('aria-label') ?? (element.querySelector('small') ?? element).textContent
    ).trim();
    return label === '' ? [] : [{ key: `bar-${index}`, label, icon: 'chevron-right', run: () => element.click() }];
  });
}
