import { saveSetting } from '../data/settings.ts';
import { bootstrap, changeBootstrap } from '../state/bootstrap.ts';

export type Theme = 'system' | 'light' | 'dark';

/** Light and dark use the same tokens. The root element names the theme; `system` follows the operating system. */
export function startTheme(): void {
  apply();
}

export function setTheme(theme: Theme): void {
  changeBootstrap((now) => ({ ...now, theme }));
  apply();
  saveSetting('theme', theme);
}

function apply(): void {
  document.documentElement.dataset.theme = bootstrap().theme;
}
