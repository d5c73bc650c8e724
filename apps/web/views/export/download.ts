import { request } from '../../data/request.ts';
import { showToast } from '../../data/toasts.ts';
import { t } from '../../i18n/messages.ts';

/**
 * Asks first whether it will work, so that what is wrong is said here and not by a file. Then the browser takes the file as it
 * comes; nothing of it is held by the page.
 */
export async function download(href: string): Promise<void> {
  const { body } = await request<{ readonly result: { readonly name: string } }>(`${href}&dry_run=1`);
  const link = document.createElement('a');
  link.href = href;
  link.download = body.result.name;
  document.body.append(link);
  link.click();
  link.remove();
  showToast({ kind: 'info', title: t('Your download has started'), body: body.result.name });
}
