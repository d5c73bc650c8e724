import type { Addon } from './catalogue.ts';

export const addonFilesPath = '/web/addon/';

/** A manifest names one of the client's icons, or a picture of its own in the addon's folder. */
export function addonIcon({ name, manifest }: Addon): string {
  return isPicture(manifest.icon) ? `${addonFilesPath}${name}/${manifest.icon}` : manifest.icon;
}

export function isPicture(icon: string): boolean {
  return /^[a-z0-9_/-]+\.(svg|png|webp)$/i.test(icon);
}
