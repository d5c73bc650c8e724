import { showToast } from '../../data/toasts.ts';
import { countsOf, countsText } from './counts.ts';

/** After an import by a plain form: says what came of it, once, and takes it out of the address. */
export function tellCounts(): void {
  showToast({ kind: 'success', title: countsText(countsOf(location.href)) });
  const url = new URL(location.href);
  url.searchParams.delete('msg');
  history.replaceState(history.state, '', url);
}
