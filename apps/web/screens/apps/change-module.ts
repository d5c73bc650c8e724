import type { AppsScreenData, UninstallPreview } from '@kontor/protocol';
import { request } from '../../data/request.ts';

export type ModuleDo = 'install' | 'uninstall' | 'activate' | 'deactivate' | 'upgrade';

export async function changeModule(module: string, what: ModuleDo): Promise<void> {
  await request('/web/module/action', { json: { do: what, module } });
}

/** What an uninstall would take away; nothing is changed. */
export async function previewUninstall(module: string): Promise<UninstallPreview | null> {
  const { body } = await request<{ result: AppsScreenData }>(`/web/apps?module=${encodeURIComponent(module)}`);
  return body.result.uninstall ?? null;
}
