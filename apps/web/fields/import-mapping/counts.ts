import { showToast } from '../../data/toasts.ts';
import { t } from '../../i18n/messages.ts';

export interface Counts {
  readonly imported: number;
  readonly updated: number;
  readonly skipped: number;
}

/** The numbers of `msg=imported_3_updated_0_skipped_1` in a URL. */
export function countsOf(href: string): Counts {
  const msg = new URL(href, location.href).searchParams.get('msg') ?? '';
  const [, imported, updated, skipped] = /^imported_(\d+)_updated_(\d+)_skipped_(\d+)$/.exec(msg) ?? [];
  return { imported: Number(imported ?? 0), updated: Number(updated ?? 0), skipped: Number(skipped ?? 0) };
}

export function countsText({ imported, updated, skipped }: Counts): string {
  if (skipped > 0) {
    return t('Imported {made}, updated {changed}, skipped {left}', { made: imported, changed: updated, left: skipped });
  }
  if (updated > 0) return t('Imported {made}, updated {changed}', { made: imported, changed: updated });
  return t('Imported {made}', { made: imported });
}

/** After an import by form post: shows the result once and removes it from the URL. */
export function showCounts(): void {
  showToast({ kind: 'success', title: countsText(countsOf(location.href)) });
  const url = new URL(location.href);
  url.searchParams.delete('msg');
  history.replaceState(history.state, '', url);
}
