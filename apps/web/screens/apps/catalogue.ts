import type { AppsScreenData, CatalogueEntry, UninstallPreview } from '@kontor/protocol';
import { request } from '../../data/request.ts';

/** The search and filters of the catalogue. */
export interface Shown {
  readonly text: string;
  readonly category: string;
  readonly state: string;
  /** Includes modules that are not apps. */
  readonly withParts: boolean;
}

/** Apps first, then by name; the text can match anywhere. */
export function findEntries(entries: readonly CatalogueEntry[], { text, category, state, withParts }: Shown) {
  const wanted = text.trim().toLocaleLowerCase();
  return entries
    .filter((entry) => withParts || entry.application || wanted !== '')
    .filter((entry) => category === '' || entry.category === category)
    .filter((entry) => state === '' || entry.state === state)
    .filter((entry) => `${entry.label} ${entry.module} ${entry.summary}`.toLocaleLowerCase().includes(wanted))
    .sort((a, b) => Number(b.application) - Number(a.application) || a.label.localeCompare(b.label));
}

export type ModuleDo = 'install' | 'uninstall' | 'activate' | 'deactivate' | 'upgrade';

export async function changeModule(module: string, what: ModuleDo): Promise<void> {
  // The dialog has shown what goes with it.
  const more = what === 'uninstall' ? { with_dependents: true } : {};
  await request('/web/module/action', { json: { do: what, module, ...more } });
}

/** What an uninstall would remove; nothing is changed. */
export async function previewUninstall(module: string): Promise<UninstallPreview | null> {
  const { body } = await request<{ result: AppsScreenData }>(`/web/apps?module=${encodeURIComponent(module)}`);
  return body.result.uninstall ?? null;
}
